import Text

/// The host names under which a server on a developer's machine can be requested: `localhost`, names below it, IP
/// addresses, and configured names.
///
/// A foreign page can let its own name resolve to this machine (DNS rebinding). The browser then treats the server as
/// that page's site, but still sends the page's name in `Host`.
package struct AllowedHosts: Sendable {
    /// In lower case, without a trailing dot.
    private let names: Set<[UInt8]>

    /// - Parameter urls: the URLs and origins whose hosts are allowed. Texts that are neither, such as `*`, are ignored.
    package init(of urls: [String] = []) {
        let names = urls.compactMap { text in
            let bytes = Array(text.utf8)
            return (try? AbsoluteURL(bytes.span)).map { Self.name(bytes[$0.hostRange]) }
        }
        self.names = Set(names)
    }

    /// Returns why a request is refused; nil if its host is allowed. A request without `Host`, which HTTP/1.0 permits,
    /// is allowed, because browsers always send the field.
    package func refusal(of request: HTTPRequest) -> MisdirectedRequest? {
        // The parser has replaced the value by the authority of an absolute target.
        guard let host = request.headers.first(.host).map({ Array($0) }) else { return nil }
        guard let authority = try? Authority(host.span, allowsEmptyPort: true) else {
            return MisdirectedRequest(name: host, port: nil)
        }
        guard authority.host == .name else { return nil }
        let name = Self.name(host[authority.hostRange])
        let isLocal = name.span.equals("localhost") || name.suffix(10).elementsEqual(".localhost".utf8)
        return isLocal || names.contains(name) ? nil : MisdirectedRequest(name: name, port: authority.port)
    }

    private static func name(_ host: ArraySlice<UInt8>) -> [UInt8] {
        ASCII.lowercased(host.last == ASCII.dot ? host.dropLast() : host)
    }
}

/// A request for a host name that the server does not accept (RFC 9110 section 15.5.20).
package struct MisdirectedRequest: Sendable {
    /// The web origin whose configuration would allow the name; nil if the name cannot be that of an origin.
    package let origin: String?

    /// - Parameter name: the requested name, in lower case.
    fileprivate init(name: [UInt8], port: UInt16?) {
        let port = port == 80 ? nil : port
        let origin = "http://\(String(decoding: name, as: UTF8.self))\(port.map { ":\($0)" } ?? "")"
        self.origin = CORSPolicy.mistake(in: origin) == nil ? origin : nil
    }
}
