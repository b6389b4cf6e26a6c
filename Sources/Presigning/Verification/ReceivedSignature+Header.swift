import Text

extension ReceivedSignature {
    /// Parses the headers of a request that is signed in `Authorization`, with its time in `x-amz-date` and its payload
    /// in `x-amz-content-sha256`. They are valid for 15 minutes.
    ///
    /// Source: Amazon S3 API reference, "Authenticating Requests: Using the Authorization Header".
    package init(headersOf request: PresignedURLVerifier.Request) throws(PresignedURLParseFailure) {
        let target = try ReceivedTarget(request.target)
        let fields = try Self.fields(try Self.only("authorization", in: request.headers))
        time = try Self.time(try Self.only("x-amz-date", in: request.headers), named: "x-amz-date")
        (accessKeyID, scope) = try Self.credential(
            try Self.only("Credential", in: fields), at: time, named: "Credential")
        lifetime = Int(PresignedURLVerifier.toleratedSkew)
        signedHeaders = try Self.headerNames(
            try Self.only("SignedHeaders", in: fields), named: "SignedHeaders")
        (signatureName, signature) = ("Signature", try Self.only("Signature", in: fields))
        content = target.canonicalRequest(
            of: request, signing: signedHeaders, payload: try Self.only("x-amz-content-sha256", in: request.headers))
    }

    /// Splits `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…`, whose spaces after commas are optional.
    private static func fields(
        _ value: [UInt8]
    ) throws(PresignedURLParseFailure) -> [(name: [UInt8], value: [UInt8])] {
        let scheme = value.prefix { $0 != ASCII.space }
        guard scheme.elementsEqual(QueryParameter.algorithmName.utf8) else {
            throw PresignedURLParseFailure("authorization", "its scheme is not AWS4-HMAC-SHA256")
        }
        return value.dropFirst(scheme.count).split(separator: ASCII.comma).map { part in
            let part = part.trimming(ASCII.isWhitespace)
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            return (Array(name), Array(part.dropFirst(name.count + 1)))
        }
    }

    /// Returns the value of the only field with this name.
    private static func only(
        _ name: String, in fields: [(name: [UInt8], value: [UInt8])]
    ) throws(PresignedURLParseFailure) -> [UInt8] {
        let values = fields.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
        guard let value = values.first else { throw PresignedURLParseFailure(name) }
        guard values.count == 1 else { throw PresignedURLParseFailure(name, "it is a duplicate") }
        return value
    }
}
