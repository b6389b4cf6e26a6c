import Text

/// The base URL of a store other than AWS, taken apart and checked.
struct CustomEndpoint {
    let isSecure: Bool
    /// Lower case, without port.
    let host: [UInt8]
    /// Whether the host is an IP address.
    let isIPAddress: Bool
    /// The port when it is not the scheme's own, with its colon.
    let portSuffix: [UInt8]
    /// Empty, or a path with a leading and no trailing slash.
    let path: [UInt8]

    init(_ text: String) throws(StorageError) {
        let bytes = Array(text.utf8)
        let url: AbsoluteURL
        do throws(AbsoluteURL.Mistake) {
            url = try AbsoluteURL(bytes.span)
        } catch {
            throw Self.refusal(error)
        }
        guard url.port > 0 else { throw Self.refusal(.authority(.port)) }
        let host = bytes[url.hostRange]
        isIPAddress = url.authority.host != .name
        guard isIPAddress || host.span.isHostName else { throw Self.refusal(.authority(.host)) }
        self.host = ASCII.lowercased(host)
        isSecure = url.isSecure
        portSuffix = url.port == (isSecure ? 443 : 80) ? [] : Array(":\(url.port)".utf8)
        guard url.target.query == nil else { throw Self.refusal(.target) }
        path = try Self.checkedPath(bytes[url.target.path])
    }

    private static func checkedPath(_ path: ArraySlice<UInt8>) throws(StorageError) -> [UInt8] {
        guard path.allSatisfy({ isPathByte($0) }) else { throw refusal(.target) }
        let hasDotSegment = path.split(separator: 0x2f).contains { $0.count <= 2 && $0.allSatisfy { $0 == 0x2e } }
        guard !hasDotSegment else { throw refusal("Its path has a . or .. segment, which clients remove.") }
        let end = path.lastIndex { $0 != 0x2f }.map { $0 + 1 } ?? path.startIndex
        return Array(path[..<end])
    }

    /// Base paths are written by operators: plain segments only, so that nothing is escaped twice or not at all.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-._~/".utf8.contains(byte)
    }

    private static func refusal(_ mistake: AbsoluteURL.Mistake) -> StorageError {
        switch mistake {
        case .scheme: refusal("It does not begin with http:// or https://.")
        case .authority(.userInformation): refusal("It contains a user name or a password.")
        case .authority(.host): refusal("Its host is not a host name or an IP address.")
        case .authority(.port): refusal("Its port is not a number from 1 to 65535.")
        case .target: refusal("It has a query, a fragment, or characters that must be escaped in a path.")
        }
    }

    private static func refusal(_ description: String) -> StorageError {
        .invalid("endpoint", description, "Write it as https://host, with :port and /path where they are needed.")
    }
}
