import Text

extension ReceivedSignature {
    /// Parses the query of a pre-signed URL.
    package init(queryOf request: PresignedURLVerifier.Request) throws(PresignedURLParseFailure) {
        let target = try ReceivedTarget(request.target)
        guard try target.value(of: QueryParameter.algorithm).elementsEqual(QueryParameter.algorithmName.utf8) else {
            throw PresignedURLParseFailure(QueryParameter.algorithm, "it is not AWS4-HMAC-SHA256")
        }
        time = try Self.time(try target.value(of: QueryParameter.date), named: QueryParameter.date)
        (accessKeyID, scope) = try Self.credential(
            try target.value(of: QueryParameter.credential), at: time, named: QueryParameter.credential)
        let expires = try target.value(of: QueryParameter.expires)
        guard expires.first != ASCII.zero, let seconds = Int(decimal: expires.span, in: Presigner.validExpiry) else {
            throw PresignedURLParseFailure(QueryParameter.expires, "it must be 1 to 604800")
        }
        lifetime = seconds
        signedHeaders = try Self.headerNames(
            try target.value(of: QueryParameter.signedHeaders), named: QueryParameter.signedHeaders)
        (signatureName, signature) = (QueryParameter.signature, try target.value(of: QueryParameter.signature))
        _ = try target.optionalValue(of: QueryParameter.securityToken)
        content = target.canonicalRequest(
            of: request, signing: signedHeaders, payload: Array(HeaderRules.unsignedPayload.description.utf8))
    }
}
