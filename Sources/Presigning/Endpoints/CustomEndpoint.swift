import Text

/// The validated base URL of a store other than AWS.
struct CustomEndpoint {
    let isSecure: Bool
    /// The host as clients send it, without port.
    let host: [UInt8]
    /// Whether the host is an IP address.
    let isIPAddress: Bool
    /// A colon and the port, or empty for the scheme's default port.
    let portSuffix: [UInt8]
    /// The path with a leading and no trailing slash, or empty.
    let path: [UInt8]

    /// Validates a base URL.
    ///
    /// - Parameters:
    ///   - field: the option for errors.
    ///   - options: the options with the bucket and its addressing.
    /// - Throws: `StorageError.validation` of the field, also if the URL names a bucket that would be added again.
    init(_ text: String, named field: String = "endpoint", of options: S3EndpointOptions) throws(StorageError) {
        do throws(Mistake) {
            self = try CustomEndpoint(text)
        } catch {
            throw .invalid(field, error.description, "Write it as https://host, with an optional :port and /path.")
        }
        guard options.addressing != .domain, let provider = KnownProvider(host: host),
            let (mistake, fix) = provider.objection(to: self)
        else { return }
        throw .invalid(field, mistake, fix)
    }

    struct Mistake: Error {
        let description: String
    }

    /// Parses a base URL, which may name a bucket.
    init(_ text: String) throws(Mistake) {
        let bytes = Array(text.utf8)
        let url: AbsoluteURL
        do throws(AbsoluteURL.Mistake) {
            url = try AbsoluteURL(bytes.span)
        } catch {
            throw Self.error(for: error)
        }
        guard url.port > 0 else { throw Self.error(for: .authority(.port)) }
        let host = url.sentHost(of: bytes)
        self.host = host
        isIPAddress = url.authority.host != .name
        guard isIPAddress || host.span.isHostName else { throw Self.error(for: .authority(.host)) }
        isSecure = url.isSecure
        portSuffix = url.port == (isSecure ? 443 : 80) ? [] : Array(":\(url.port)".utf8)
        guard url.target.query == nil else { throw Self.error(for: .target) }
        path = try Self.checkedPath(bytes[url.target.path])
    }

    private static func checkedPath(_ path: ArraySlice<UInt8>) throws(Mistake) -> [UInt8] {
        // Only bytes that need no escaping, so none is escaped twice.
        guard path.allSatisfy({ ASCII.isAlphanumeric($0) || "-._~/".utf8.contains($0) }) else {
            throw error(for: .target)
        }
        let hasDotSegment = path.split(separator: 0x2f).contains { $0.count <= 2 && $0.allSatisfy { $0 == 0x2e } }
        guard !hasDotSegment else {
            throw Mistake(description: "Its path has a . or .. segment, which clients remove.")
        }
        let end = path.lastIndex { $0 != 0x2f }.map { $0 + 1 } ?? path.startIndex
        return Array(path[..<end])
    }

    private static func error(for mistake: AbsoluteURL.Mistake) -> Mistake {
        let description =
            switch mistake {
            case .scheme: "It does not begin with http:// or https://."
            case .authority(.userInformation): "It contains a user name or a password."
            case .authority(.host): "Its host is not a host name or an IP address."
            case .authority(.zone): "Its IPv6 address has a zone (after %), which browsers refuse in URLs."
            case .authority(.port): "Its port must be 1 to 65535."
            case .target: "It has a query, a fragment, or characters that must be escaped in a path."
            }
        return Mistake(description: description)
    }
}
