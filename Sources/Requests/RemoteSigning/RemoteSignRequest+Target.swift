import Presigning
import Text

extension RemoteSignRequest {
    /// A parameter of a query, decoded.
    typealias Parameter = (name: String, value: String)

    /// What `uri` addresses.
    struct Target {
        /// The object's key; empty for the bucket.
        let key: [UInt8]
        let parameters: [Parameter]
    }

    /// Returns what `uri` addresses in a bucket.
    ///
    /// - Throws: `InvalidRequest` for a URL of anything else, and for a header or a member that contradicts it.
    func target(in bucket: S3Bucket) throws(InvalidRequest) -> Target {
        guard region.elementsEqual(bucket.endpoint.region.utf8) else {
            throw InvalidRequest("region", "must be \(bucket.endpoint.region), the region of the store")
        }
        let url: AbsoluteURL
        do throws(AbsoluteURL.Mistake) {
            url = try AbsoluteURL(uri.span)
        } catch {
            throw InvalidRequest("uri", Self.mistake(error))
        }
        guard let path = bucket.path(in: url, of: uri) else {
            throw InvalidRequest(
                "uri", "must be a URL of the bucket \(bucket.name) at \(bucket.endpoint.address)")
        }
        let host = url.sentHost(of: uri)
        let given = headers["host"].map { ASCII.lowercased($0) }
        let isDefaultPort = url.port == (url.isSecure ? 443 : 80)
        guard given == nil || given == host + Array(":\(url.port)".utf8) || (isDefaultPort && given == host) else {
            throw InvalidRequest([Self.header("host", "must be the host of `uri`")])
        }
        guard path.span.position(ofEscape: ASCII.slash) == nil, let key = PercentEncoding.decode(path) else {
            throw InvalidRequest("uri", "has an encoded slash (%2F) or an invalid percent escape in its path")
        }
        return Target(key: key, parameters: try parameters(url.target.query.map { uri[$0] } ?? []))
    }

    private func parameters(_ query: ArraySlice<UInt8>) throws(InvalidRequest) -> [Parameter] {
        var parameters: [Parameter] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let end = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = Self.text(part[..<end]), let value = Self.text(part[end...].dropFirst()) else {
                throw InvalidRequest("uri", "has a query that is not percent-encoded UTF-8")
            }
            guard !parameters.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw InvalidRequest([Self.parameter(name, "is a duplicate")])
            }
            parameters.append((name, value))
        }
        return parameters
    }

    private static func text(_ escaped: ArraySlice<UInt8>) -> String? {
        PercentEncoding.decode(escaped).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The failure of a header, by its name.
    static func header(_ name: String, _ detail: String) -> FieldFailure {
        FieldFailure("headers", entry: Array(name.utf8), detail)
    }

    /// The failure of a parameter, by its name.
    static func parameter(_ name: String, _ detail: String) -> FieldFailure {
        FieldFailure("uri", entry: Array(name.utf8), detail)
    }

    private static func mistake(_ mistake: AbsoluteURL.Mistake) -> String {
        switch mistake {
        case .scheme: "must begin with https:// or http://"
        case .authority(.userInformation): "must have no user name or password"
        case .authority: "must have a valid host and port"
        case .target: "must be percent-encoded, without a fragment"
        }
    }
}

extension Span<UInt8> {
    /// The position of an escape of this byte, such as `%2F`; nil without one.
    fileprivate func position(ofEscape byte: UInt8) -> Int? {
        for index in indices where self[index] == ASCII.percent && index + 2 < count {
            if UInt8(hexadecimal: self[index + 1], self[index + 2]) == byte { return index }
        }
        return nil
    }
}
