import Cryptography
import DataFormats
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

/// The header parameters of a token that verification uses (RFC 7515 section 4.1).
///
/// `jku`, `jwk`, `x5u` and `x5c` are ignored, because they let the sender choose the key.
struct TokenHeader {
    let algorithm: SignatureAlgorithm
    /// The id of the issuer's key that signed the token.
    let keyID: [UInt8]?
    /// The media type of the token, in lower case without `application/`.
    let type: [UInt8]?

    init(_ json: [UInt8]) throws(TokenRefusal) {
        guard let header = try? JSONValue(parsing: json), case .object = header else { throw .headerNotJSON }
        // A recipient must refuse critical extensions that it does not support (RFC 7515 section 4.1.11).
        if header["crit"] != nil { throw .critical }
        // A JWT must not use unencoded payloads (RFC 7797 section 7).
        if header["b64"] != nil { throw .detachedEncoding }
        guard let name = header["alg"]?.string, let algorithm = SignatureAlgorithm(name: name) else {
            throw .unknownAlgorithm
        }
        self.algorithm = algorithm
        keyID = try header.text("kid", else: TokenRefusal.badKeyID)
        type = try header.text("typ", else: TokenRefusal.badType).map { Self.normalized(type: $0) }
    }

    /// A media type in lower case without `application/`, which is optional (RFC 7515 section 4.1.9).
    static func normalized(type: [UInt8]) -> [UInt8] {
        let lowercase = ASCII.lowercased(type)
        let prefix = Array("application/".utf8)
        return lowercase.starts(with: prefix) ? Array(lowercase.dropFirst(prefix.count)) : lowercase
    }
}
