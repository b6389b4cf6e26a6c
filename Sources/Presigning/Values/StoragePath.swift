/// An object key as bytes. Keys are signed as given, without normalization.
///
/// Keys are compared byte by byte, as in S3. Swift strings would compare `"\u{e9}"` and `"e\u{301}"` as equal.
public struct StoragePath: Sendable, Hashable {
    /// The bytes of the key, normally UTF-8.
    public let bytes: [UInt8]

    /// Creates a key from bytes. Any bytes can be signed.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the key with the UTF-8 bytes of a string.
    public static func fromString(_ text: String) -> StoragePath {
        StoragePath(bytes: [UInt8](text.utf8))
    }

    /// The key as text for display. Bytes that are not valid UTF-8 appear as U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension StoragePath: ExpressibleByStringLiteral {
    /// Creates a key from a string literal.
    public init(stringLiteral value: String) {
        self.init(bytes: [UInt8](value.utf8))
    }
}
