import COpenSSL

/// Bytes that must not be seen: overwritten when the last copy goes, and hidden from descriptions and dumps.
///
/// The overwriting is a best effort: it does not reach the array the bytes came from.
public struct SecretBytes: Sendable {
    private let storage: Storage

    /// Copies bytes into memory of their own.
    public init(_ bytes: [UInt8]) {
        storage = Storage(bytes)
    }

    /// How many bytes there are.
    public var count: Int { storage.count }

    /// Lends the bytes for the length of a call.
    public func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        storage.withBytes(body)
    }

    // Unchecked: the buffer is written in `init` and `deinit` only, when the object is not shared.
    @safe
    private final class Storage: @unchecked Sendable {
        private let buffer: UnsafeMutableRawBufferPointer
        let count: Int

        init(_ bytes: [UInt8]) {
            count = bytes.count
            // unsafe: the memory has room for exactly the bytes copied into it.
            unsafe buffer = .allocate(byteCount: bytes.count, alignment: 1)
            unsafe buffer.copyBytes(from: bytes)
        }

        func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
            // unsafe: the memory is ours, and `self` keeps it alive while the span is lent.
            let span = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(buffer))
            let result = body(span)
            withExtendedLifetime(self) {}
            return result
        }

        deinit {
            // unsafe: nobody else has the buffer any more.
            unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
            unsafe buffer.deallocate()
        }
    }
}

extension SecretBytes: Equatable {
    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        left.storage === right.storage
            || left.withBytes { first in right.withBytes { second in constantTimeEqual(first, second) } }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says how many bytes there are, never which.
    public var description: String { "SecretBytes(\(count) bytes, redacted)" }
    /// As `description`.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
