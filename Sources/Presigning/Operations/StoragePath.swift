/// An object's key as the bytes that are signed: never normalised, never repaired.
///
/// Keys are compared byte by byte, since Swift's `String` takes `"\u{e9}"` and `"e\u{301}"` for the same and S3 does not.
public struct StoragePath: Sendable, Hashable {
    /// The key's bytes, UTF-8 in all but unusual keys.
    public let bytes: [UInt8]

    /// Takes a key as bytes; any bytes can be signed.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes a key as text, in UTF-8.
    public static func fromString(_ text: String) -> StoragePath {
        StoragePath(bytes: [UInt8](text.utf8))
    }

    /// The key for people to read; bytes that are no UTF-8 show as U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension StoragePath: ExpressibleByStringLiteral {
    /// Takes a key written in source code.
    public init(stringLiteral value: String) {
        self.init(bytes: [UInt8](value.utf8))
    }
}
