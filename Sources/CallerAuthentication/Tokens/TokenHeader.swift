import Cryptography
import DataFormats
import Text

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
        keyID = try header["kid"].map { value throws(TokenRefusal) in
            guard let text = value.string else { throw .badKeyID }
            return text
        }
        type = try header["typ"].map { value throws(TokenRefusal) in
            guard let text = value.string else { throw .badType }
            return Self.normalized(type: text)
        }
    }

    /// A media type in lower case without `application/`, which is optional (RFC 7515 section 4.1.9).
    static func normalized(type: [UInt8]) -> [UInt8] {
        let lowercase = ASCII.lowercased(type)
        let prefix = Array("application/".utf8)
        return lowercase.starts(with: prefix) ? Array(lowercase.dropFirst(prefix.count)) : lowercase
    }
}
