import Text

/// A token taken apart: the three parts of a signed JSON Web Token (RFC 7515 section 7.1), decoded and not yet believed.
struct CompactToken {
    /// Bytes.
    static let longest = 16 * 1024

    let header: [UInt8]
    let claims: [UInt8]
    let signature: [UInt8]
    /// How many of the token's first bytes are signed.
    let signedCount: Int

    /// - Throws: for anything but three parts in canonical base64url.
    init(_ text: Span<UInt8>) throws(TokenRefusal) {
        guard text.count <= Self.longest else { throw .tooLong }
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
