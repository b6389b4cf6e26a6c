import Cryptography
import DataFormats
import Text

/// What the header of a token says (RFC 7515 section 4.1), as far as it is listened to.
///
/// `jku`, `jwk`, `x5u` and `x5c` name or bring keys of the sender's own choice and are not read.
struct TokenHeader {
    let algorithm: SignatureAlgorithm
    /// Which of the issuer's keys signed.
    let keyID: [UInt8]?
    /// What the token is, in lower case and without `application/`.
    let type: [UInt8]?

    init(_ json: [UInt8]) throws(TokenRefusal) {
        guard let header = try? JSONValue(parsing: json), case .object = header else { throw .headerNotJSON }
        // Whoever does not understand what is listed there must refuse (RFC 7515 section 4.1.11); nothing is understood.
        if header["crit"] != nil { throw .critical }
        // A token's claims are always encoded (RFC 7797 section 7).
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

    /// A media type without regard to case; `application/` may be left out (RFC 7515 section 4.1.9).
    static func normalized(type: [UInt8]) -> [UInt8] {
        let lowercase = ASCII.lowercased(type)
        let prefix = Array("application/".utf8)
        return lowercase.starts(with: prefix) ? Array(lowercase.dropFirst(prefix.count)) : lowercase
    }
}
