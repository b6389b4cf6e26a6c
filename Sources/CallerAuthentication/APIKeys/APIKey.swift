package import Cryptography
import DataFormats
import System
import Text

/// The text of an API key: `psk_<id>_<secret>`, the secret being 32 random bytes in base64url (43 characters).
package enum APIKey {
    private static let prefixLength = 4
    private static let secretLength = 43

    /// Where the public part stands, by which a key is looked up; nil when the text has not the form of a key. What the
    /// characters are is for the comparison with the keys there are.
    package static func id(in text: Span<UInt8>) -> Range<Int>? {
        // The secret's length is fixed, so an underscore in the id or in the secret cannot shift the border.
        let end = text.count - secretLength - 1
        guard text.starts(with: "psk_"), 1...64 ~= end - prefixLength, text[end] == UInt8(ascii: "_") else {
            return nil
        }
        return prefixLength..<end
    }

    /// True when `id` may name a key.
    package static func isValidID(_ id: some Collection<UInt8>) -> Bool {
        1...64 ~= id.count && id.allSatisfy { ASCII.isAlphanumeric($0) || "-_.".utf8.contains($0) }
            && !id.elementsEqual(".".utf8) && !id.elementsEqual("..".utf8)
    }

    /// A new key for `id`, with 256 bits from the system's random generator.
    ///
    /// - Throws: when the generator fails; there is no weaker fall-back.
    package static func generate(id: String) throws(SecureRandom.Failure) -> String {
        "psk_\(id)_" + Base64.encode(try SecureRandom.bytes(count: 32), .url)
    }

    /// What the configuration stores of a key: `sha256:` and the hex digest of the whole text.
    package static func storedHash(of key: some Collection<UInt8>) -> String {
        "sha256:" + Hexadecimal.encode(SHA256.hash(Array(key)).bytes)
    }

    /// The digest in such a text; nil when it is none.
    package static func digest(stored text: String) -> SHA256Digest? {
        guard text.utf8.starts(with: "sha256:".utf8) else { return nil }
        return Hexadecimal.decode(text.utf8.dropFirst("sha256:".utf8.count)).flatMap { SHA256Digest($0) }
    }
}
