package import Cryptography
import DataFormats
import System
import Text

/// The format of API keys: `psk_<id>_<secret>`. The secret is 32 random bytes in base64url, 43 characters.
package enum APIKey {
    private static let prefixLength = 4
    private static let secretLength = 43

    /// The range of the public id in a key; nil if the text does not have the format of a key. The characters are not
    /// validated, because only configured keys match.
    package static func id(in text: Span<UInt8>) -> Range<Int>? {
        // Found from the end, because the id and the secret can contain underscores but the secret's length is fixed.
        let end = text.count - secretLength - 1
        guard text.starts(with: "psk_"), 1...64 ~= end - prefixLength, text[end] == UInt8(ascii: "_") else {
            return nil
        }
        return prefixLength..<end
    }

    /// Whether a key may be in a text.
    package static func mayBe(in text: ArraySlice<UInt8>) -> Bool {
        text.indices.contains { text[$0...].starts(with: "psk_".utf8) }
    }

    /// Whether `id` is a valid key id: 1 to 64 characters A-Z a-z 0-9 . _ -, and not `.` or `..`.
    package static func isValidID(_ id: some Collection<UInt8>) -> Bool {
        1...64 ~= id.count && id.allSatisfy { ASCII.isAlphanumeric($0) || "-_.".utf8.contains($0) }
            && !id.elementsEqual(".".utf8) && !id.elementsEqual("..".utf8)
    }

    /// Reads an id, or the name of an issuer.
    static func readID(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let id = try node.string()
        guard isValidID(id.utf8) else {
            throw node.error("must be 1 to 64 characters A-Z a-z 0-9 . _ -, and not . or ..")
        }
        return id
    }

    /// Generates a key for `id` with 256 bits from the system's random generator.
    ///
    /// - Throws: If the generator fails. It never falls back to a weaker source.
    package static func generate(id: String) throws(SecureRandom.Failure) -> String {
        "psk_\(id)_" + Base64.encode(try SecureRandom.bytes(count: 32), .url)
    }

    /// The hash of a key for the configuration: `sha256:` and the hexadecimal digest of the whole key.
    package static func storedHash(of key: some Collection<UInt8>) -> String {
        "sha256:" + Hexadecimal.encode(SHA256.hash(Array(key)).bytes)
    }

    /// The digest in a text from `storedHash`; nil for any other text.
    package static func digest(stored text: String) -> SHA256Digest? {
        guard text.utf8.starts(with: "sha256:".utf8) else { return nil }
        return Hexadecimal.decode(text.utf8.dropFirst("sha256:".utf8.count)).flatMap { SHA256Digest($0) }
    }
}
