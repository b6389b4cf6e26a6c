import Text

/// The parts of a signature as a request states them, unchecked, for messages.
struct StatedSignature: Sendable {
    /// Whether they stand in the `Authorization` header; otherwise in the query of a pre-signed URL.
    let isInHeader: Bool
    /// The access key id, day, region, service and `aws4_request`; fewer if malformed. Slashes before the last four
    /// belong to the id.
    let credential: [[UInt8]]
    /// The names of the signed headers in lower case, separated by semicolons.
    let signedHeaders: [UInt8]
    let signature: [UInt8]

    init(_ request: S3Request) {
        isInHeader = request.isSignedInHeader
        let value = { (name: String) -> [UInt8] in
            request.isSignedInHeader ? Self.field(name, request) : request.parameter("X-Amz-" + name) ?? []
        }
        credential = Self.parts(of: value("Credential"))
        signedHeaders = value("SignedHeaders")
        signature = value("Signature")
    }

    var accessKeyID: [UInt8] { credential.first ?? [] }

    var signedHeaderNames: [ArraySlice<UInt8>] { signedHeaders.split(separator: UInt8(ascii: ";")) }

    /// S3's code for a malformed signature.
    var malformedCode: String {
        isInHeader ? "AuthorizationHeaderMalformed" : "AuthorizationQueryParametersError"
    }

    /// Begins S3's message about a malformed parameter.
    func malformed(_ parameter: String) -> String {
        isInHeader
            ? "The authorization header is malformed; \(parameter): "
            : "Error parsing the \(parameter) parameter; "
    }

    /// Returns a field of `Authorization`; empty without it.
    private static func field(_ name: String, _ request: S3Request) -> [UInt8] {
        let authorization = request.header("authorization") ?? []
        let prefix = Array("\(name)=".utf8)
        let fields = authorization.split { $0 == ASCII.space || $0 == ASCII.comma }
        return fields.first { $0.starts(with: prefix) }.map { Array($0.dropFirst(prefix.count)) } ?? []
    }

    private static func parts(of credential: [UInt8]) -> [[UInt8]] {
        let slash = UInt8(ascii: "/")
        let parts = credential.split(separator: slash, omittingEmptySubsequences: false).map(Array.init)
        guard parts.count > 5 else { return parts }
        return [Array(parts.dropLast(4).joined(separator: [slash]))] + parts.suffix(4)
    }
}
