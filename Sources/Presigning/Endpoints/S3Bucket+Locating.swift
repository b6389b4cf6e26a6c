package import Text

extension S3Bucket {
    /// Returns the path below the bucket in a URL of this bucket, percent-encoded as it is there; nil for a URL of
    /// another bucket, host, port or scheme.
    ///
    /// Clients choose between the bucket in the host and in the path, so both are accepted, and for acceleration the
    /// usual endpoint too.
    ///
    /// - Parameter text: the text of the URL.
    package func path(in url: AbsoluteURL, of text: [UInt8]) -> ArraySlice<UInt8>? {
        let port = url.port == (url.isSecure ? 443 : 80) ? [] : Array(":\(url.port)".utf8)
        let host = url.sentHost(of: text) + port
        let path = text[url.target.path]
        for parts in ([endpoint] + otherAddresses).map(\.parts)
        where parts.written.isSecure == url.isSecure && parts.written.host == host {
            if path.starts(with: parts.keyPrefix) { return path.dropFirst(parts.keyPrefix.count) }
            if path.elementsEqual(parts.keyPrefix.dropLast()) { return [] }
        }
        return nil
    }

    private var otherAddresses: [S3Endpoint] {
        guard endpoint.options.addressing != .domain else { return [] }
        return [S3EndpointOptions.Addressing.path, .virtual].compactMap { addressing in
            var options = endpoint.options
            (options.addressing, options.accelerate) = (addressing, false)
            return try? S3Endpoint(options)
        }
    }
}
