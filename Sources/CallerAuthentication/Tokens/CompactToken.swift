import Text

/// The three decoded parts of a JWS in compact serialization (RFC 7515 section 7.1), not yet verified.
struct CompactToken {
    /// The maximum length of a token in bytes.
    static let maximumLength = 16 * 1024

    let header: [UInt8]
    let claims: [UInt8]
    let signature: [UInt8]
    /// The number of leading bytes of the token that the signature covers.
    let signedCount: Int

    /// - Throws: If the text is not three parts in canonical base64url.
    init(_ text: Span<UInt8>) throws(TokenRefusal) {
        guard text.count <= Self.maximumLength else { throw .tooLong }
        var dots: [Int] = []
        for index in text.indices where text[index] == UInt8(ascii: ".") {
            guard dots.count < 2 else { throw .notThreeParts }
            dots.append(index)
        }
        guard dots.count == 2 else { throw .notThreeParts }
        signedCount = dots[1]
        guard let header = Base64.decode(text.extracting(..<dots[0]), .url),
            let claims = Base64.decode(text.extracting((dots[0] + 1)..<dots[1]), .url),
            let signature = Base64.decode(text.extracting((dots[1] + 1)...), .url)
        else { throw .notBase64URL }
        guard !signature.isEmpty else { throw .emptySignature }
        (self.header, self.claims, self.signature) = (header, claims, signature)
    }
}
