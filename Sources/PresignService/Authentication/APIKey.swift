package import CryptoHashing

/// The text of an API key: `psk_<id>_<secret>`, the secret being 32 random bytes in base64url (43 characters).
package struct APIKey: Sendable {
    /// The public part, by which the key is looked up: 1 to 64 of `A-Z a-z 0-9 . _ -`.
    package let id: ArraySlice<UInt8>

    private static let prefix = Array("psk_".utf8)
    private static let secretLength = 43

    /// Takes the text apart; nil when it has not the form of a key.
    package init?(_ text: ArraySlice<UInt8>) {
        guard text.starts(with: Self.prefix) else { return nil }
        let body = text.dropFirst(Self.prefix.count)
        // The secret's length is fixed, so an underscore in the id or in the secret cannot shift the border.
        let id = body.dropLast(Self.secretLength + 1)
        guard Self.isValidID(id), body.dropFirst(id.count).first == UInt8(ascii: "_") else { return nil }
        guard body.suffix(Self.secretLength).allSatisfy(Self.isBase64URL) else { return nil }
        self.id = id
    }

    /// True when `id` may name a key.
    package static func isValidID(_ id: some Collection<UInt8>) -> Bool {
        1...64 ~= id.count && id.allSatisfy { isBase64URL($0) || $0 == UInt8(ascii: ".") }
    }

    /// A new key for `id`, with 256 bits from the system's random generator.
    ///
    /// - Throws: when the generator fails; there is no weaker fall-back.
    package static func generate(id: String) throws(SecureRandom.Failure) -> String {
        "psk_\(id)_" + base64URL(try SecureRandom.bytes(count: 32))
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

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// RFC 4648 section 5, without padding.
    private static func base64URL(_ bytes: [UInt8]) -> String {
        String(Base64.encode(bytes).compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }
}
