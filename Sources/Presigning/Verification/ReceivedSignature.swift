import Text

/// The signature parameters of a received request, checked for their format.
struct ReceivedSignature {
    let target: ReceivedTarget
    let accessKeyID: [UInt8]
    let scope: SigningScope
    let time: SigningTime
    /// The lifetime of a pre-signed URL in seconds; nil for a signature in the `Authorization` header.
    let expiresIn: Int?
    /// The last line of the canonical request: the payload's hash, or a constant that stands for it.
    let payload: [UInt8]
    /// The names of the signed headers: in lower case, sorted and unique.
    let signedHeaders: [[UInt8]]
    let signature: [UInt8]

    /// Parses the query of a pre-signed URL.
    init(queryOf request: PresignedURLVerifier.Request) throws(PresignedURLParseFailure) {
        payload = Array(CanonicalRequest.unsignedPayload.description.utf8)
        target = try ReceivedTarget(request.target)
        guard try target.value(of: QueryParameter.algorithm) == Array(QueryParameter.algorithmName.utf8) else {
            throw Self.failure(QueryParameter.algorithm, "it is not AWS4-HMAC-SHA256")
        }
        guard let time = SigningTime(basic: try target.value(of: QueryParameter.date)) else {
            throw Self.failure(QueryParameter.date, "it is not a time in the format YYYYMMDDTHHMMSSZ")
        }
        self.time = time
        (accessKeyID, scope) = try Self.credential(
            try target.value(of: QueryParameter.credential), at: time, named: QueryParameter.credential)
        expiresIn = try Self.expiry(try target.value(of: QueryParameter.expires))
        signedHeaders = try Self.headerNames(
            try target.value(of: QueryParameter.signedHeaders), named: QueryParameter.signedHeaders)
        signature = try Self.signature(
            try target.value(of: QueryParameter.signature), named: QueryParameter.signature)
        _ = try target.optionalValue(of: QueryParameter.securityToken)
    }

    /// Splits a credential at the last four slashes, because the access key id may contain slashes itself.
    static func credential(
        _ value: [UInt8], at time: SigningTime, named name: String
    ) throws(PresignedURLParseFailure) -> ([UInt8], SigningScope) {
        let parts = value.split(separator: 0x2f, omittingEmptySubsequences: false)
        guard parts.count >= 5, parts.last.map(Array.init) == Array("aws4_request".utf8) else {
            throw failure(name, "it is not in the format id/day/region/service/aws4_request")
        }
        let scopeParts = parts.suffix(4).map(Array.init)
        var day = ByteBuffer(capacity: 8)
        time.appendDay(to: &day)
        guard scopeParts[0] == day.bytes else {
            throw failure(name, "its day is not the day of X-Amz-Date")
        }
        let accessKeyID = parts.dropLast(4).joined(separator: [0x2f])
        return (
            Array(accessKeyID),
            SigningScope(dayNumber: time.dayNumber, region: scopeParts[1], service: scopeParts[2])
        )
    }

    private static func expiry(_ value: [UInt8]) throws(PresignedURLParseFailure) -> Int {
        guard value.first != ASCII.zero, let seconds = Int(decimal: value.span, in: Presigner.validExpiry) else {
            throw failure(QueryParameter.expires, "it must be 1 to 604800")
        }
        return seconds
    }

    static func headerNames(
        _ value: [UInt8], named name: String
    ) throws(PresignedURLParseFailure) -> [[UInt8]] {
        let names = value.split(separator: 0x3b, omittingEmptySubsequences: false).map(Array.init)
        let isSorted = zip(names, names.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
        guard isSorted, names.allSatisfy({ !$0.isEmpty && ASCII.lowercased($0) == $0 }) else {
            throw failure(name, "its names are not sorted, unique and in lower case")
        }
        guard names.contains(Array("host".utf8)) else {
            throw failure(name, "it does not contain host")
        }
        return names
    }

    static func signature(_ value: [UInt8], named name: String) throws(PresignedURLParseFailure) -> [UInt8] {
        guard value.count == 64, value.allSatisfy(ASCII.isLowercaseHexadecimal) else {
            throw failure(name, "it is not 64 lower-case hexadecimal digits")
        }
        return value
    }

    static func failure(_ parameter: String, _ reason: String) -> PresignedURLParseFailure {
        PresignedURLParseFailure(parameter: parameter, reason: reason)
    }
}
