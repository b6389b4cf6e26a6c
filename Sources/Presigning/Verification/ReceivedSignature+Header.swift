import Text

extension ReceivedSignature {
    /// The fields of the `Authorization` header.
    private enum Field {
        static let credential = "Credential"
        static let signedHeaders = "SignedHeaders"
        static let signature = "Signature"
    }

    /// Parses the headers of a request that is signed in `Authorization`, with its time in `x-amz-date` and its payload
    /// in `x-amz-content-sha256`.
    ///
    /// Source: Amazon S3 API reference, "Authenticating Requests: Using the Authorization Header".
    init(headersOf request: PresignedURLVerifier.Request) throws(PresignedURLParseFailure) {
        target = try ReceivedTarget(request.target)
        let fields = try Self.fields(try Self.header("authorization", of: request))
        let date = try Self.header("x-amz-date", of: request)
        guard let time = SigningTime(basic: date) else {
            throw Self.failure("x-amz-date", "it is not a time in the format YYYYMMDDTHHMMSSZ")
        }
        self.time = time
        (accessKeyID, scope) = try Self.credential(
            try Self.value(of: Field.credential, in: fields), at: time, named: Field.credential)
        signedHeaders = try Self.headerNames(
            try Self.value(of: Field.signedHeaders, in: fields), named: Field.signedHeaders)
        signature = try Self.signature(try Self.value(of: Field.signature, in: fields), named: Field.signature)
        payload = try Self.header("x-amz-content-sha256", of: request)
        expiresIn = nil
    }

    private static func header(
        _ name: String, of request: PresignedURLVerifier.Request
    ) throws(PresignedURLParseFailure) -> [UInt8] {
        let values = request.headers.filter { ASCII.lowercased($0.name.utf8) == Array(name.utf8) }.map(\.value)
        guard let value = values.first else { throw PresignedURLParseFailure(parameter: name, reason: nil) }
        guard values.count == 1 else { throw failure(name, "it is a duplicate") }
        return Array(value.utf8)
    }

    /// Splits `AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…`, whose spaces after commas are optional.
    private static func fields(
        _ value: [UInt8]
    ) throws(PresignedURLParseFailure) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        let scheme = value.prefix { $0 != ASCII.space }
        guard scheme.elementsEqual(QueryParameter.algorithmName.utf8) else {
            throw failure("authorization", "its scheme is not AWS4-HMAC-SHA256")
        }
        return value.dropFirst(scheme.count).split(separator: ASCII.comma).map { part in
            let part = part.trimming(ASCII.isWhitespace)
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            return (name, part.dropFirst(name.count + 1))
        }
    }

    private static func value(
        of name: String, in fields: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)]
    ) throws(PresignedURLParseFailure) -> [UInt8] {
        let values = fields.filter { $0.name.elementsEqual(name.utf8) }
        guard let value = values.first?.value else { throw PresignedURLParseFailure(parameter: name, reason: nil) }
        guard values.count == 1 else { throw failure(name, "it is a duplicate") }
        return Array(value)
    }
}
