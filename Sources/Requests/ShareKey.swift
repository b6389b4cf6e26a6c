package import Cryptography
import Text

/// A key that seals share links, in a file or of the embedded storage: `pshk_` and 32 random bytes in base64url.
package struct ShareKey: Sendable {
    /// The public id, which every link names.
    package let id: String
    fileprivate let cipher: AES256GCM

    private static var prefix: StaticString { "pshk_" }

    /// Reads a key; nil for any other text. A line feed at the end is ignored.
    package init?(id: String, _ text: [UInt8]) {
        let text = text.last == ASCII.lineFeed ? text.dropLast() : text[...]
        guard text.span.starts(with: Self.prefix) else { return nil }
        let encoded = text.dropFirst(Self.prefix.utf8CodeUnitCount)
        guard let key = Base64.decode(encoded.span, .url), let cipher = AES256GCM(key: key) else { return nil }
        (self.id, self.cipher) = (id, cipher)
    }

    /// Generates the text of a key.
    package static func generate() throws(SecureRandom.Failure) -> String {
        "\(prefix)" + Base64.encode(try SecureRandom.bytes(count: AES256GCM.keyByteCount), .url)
    }
}

/// The token of a share link: base64url of
///
///     version (1) | length of the key's id | id of the key | nonce (12 bytes) | encrypted share | tag (16 bytes)
///
/// The tag authenticates all of it, so the token discloses and allows nothing but what the key's holder sealed.
package struct ShareToken {
    private static let version: UInt8 = 1
    /// A longer token is not decoded. `Endpoint.shareLink` makes no longer one.
    package static let maximumLength = 2000

    private let header: ArraySlice<UInt8>
    private let nonce: ArraySlice<UInt8>
    private let sealed: ArraySlice<UInt8>

    /// Reads a token; nil if it has another form.
    package init?(_ text: ArraySlice<UInt8>) {
        guard text.count <= Self.maximumLength, let bytes = Base64.decode(text.span, .url), bytes.count > 2,
            bytes[0] == Self.version
        else { return nil }
        let start = 2 + Int(bytes[1])
        guard bytes.count >= start + AES256GCM.nonceByteCount + AES256GCM.tagByteCount else { return nil }
        header = bytes[..<start]
        nonce = bytes[start..<(start + AES256GCM.nonceByteCount)]
        sealed = bytes[(start + AES256GCM.nonceByteCount)...]
    }

    /// Seals a share with a fresh nonce.
    ///
    /// - Returns: nil if OpenSSL fails.
    package init?(sealing share: Share, with key: ShareKey) throws(SecureRandom.Failure) {
        header = [Self.version, UInt8(key.id.utf8.count)] + Array(key.id.utf8)
        nonce = try SecureRandom.bytes(count: AES256GCM.nonceByteCount)[...]
        guard let sealed = key.cipher.seal(share.encoded, nonce: Array(nonce), header: Array(header)) else {
            return nil
        }
        self.sealed = sealed[...]
    }

    /// The text of the token.
    package var text: String { Base64.encode(Array(header + nonce + sealed), .url) }

    /// The id of the link: 16 characters, from which the token cannot be made.
    package var id: [UInt8] { Array(Base64.encode(Array(nonce), .url).utf8) }

    /// The id of the key that sealed it.
    package var keyID: ArraySlice<UInt8> { header.dropFirst(2) }

    /// Returns the share; nil unless the key sealed exactly this token.
    package func share(openedWith key: ShareKey) -> Share? {
        key.cipher.open(sealed, nonce: Array(nonce), header: Array(header)).flatMap { Share(decoding: $0) }
    }
}
