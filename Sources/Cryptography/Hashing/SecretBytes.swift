import COpenSSL

/// Secret bytes: overwritten when the last copy is destroyed, and omitted from descriptions and dumps.
///
/// Overwriting is best effort: the array passed to `init` is not overwritten.
public struct SecretBytes: Sendable {
    private let storage: Storage

    /// Copies the bytes of an array.
    public init(_ bytes: [UInt8]) {
        storage = Storage(bytes)
    }

    /// The number of bytes.
    public var count: Int { storage.count }

    /// Calls a closure with the bytes and returns its result.
    public func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        storage.withBytes(body)
    }

    @safe
    private final class Storage: Sendable {
        // unsafe: the buffer is written only in `init` and `deinit`, while the object is not shared.
        nonisolated(unsafe) private let buffer: UnsafeMutableRawBufferPointer
        let count: Int

        init(_ bytes: [UInt8]) {
            count = bytes.count
            // unsafe: the memory has room for exactly the bytes copied into it.
            unsafe buffer = .allocate(byteCount: bytes.count, alignment: 1)
            unsafe buffer.copyBytes(from: bytes)
        }

        func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
            // unsafe: this object owns the memory, and the call below keeps the object alive while the span is in use.
            let span = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(buffer))
            let result = body(span)
            withExtendedLifetime(self) {}
            return result
        }

        deinit {
            // unsafe: this object owns the buffer, and no reference to the object is left.
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
    /// The number of bytes, without the bytes.
    public var description: String { "SecretBytes(\(count) bytes, redacted)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Empty, so `dump` does not show the bytes.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
