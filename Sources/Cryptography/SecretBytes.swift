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

extension SecretBytes: Redacted {
    /// The number of bytes, without the bytes.
    public var description: String { "SecretBytes(\(count) bytes, redacted)" }
}

/// A type whose values contain a secret. Its conforming type defines a `description` without it, which debuggers and
/// `dump` show too.
public protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
    /// The same as `description`.
    public var debugDescription: String { description }
    /// Empty, so `dump` shows only the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether two byte strings are equal, in a time that depends only on their lengths.
///
/// Returns at once if the lengths differ: the length of a digest or of a key is not secret.
package func constantTimeEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    // unsafe: both pointers are read inside the closures only, for the common count.
    return unsafe left.withUnsafeBytes { leftBytes in
        unsafe right.withUnsafeBytes { rightBytes in
            guard let first = leftBytes.baseAddress, let second = rightBytes.baseAddress else { return true }
            // CRYPTO_memcmp compares 16 bytes at once, and any other count byte by byte.
            var (index, difference) = (0, Int32(0))
            while leftBytes.count &- index > 16 {
                unsafe difference |= CRYPTO_memcmp(first + index, second + index, 16)
                index &+= 16
            }
            return unsafe difference | CRYPTO_memcmp(first + index, second + index, leftBytes.count &- index) == 0
        }
    }
}

/// Whether two byte strings are equal, in a time that depends only on their lengths.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    constantTimeEqual(left.span, right.span)
}

/// Overwrites bytes. The optimizer does not remove the call.
func cleanse(_ bytes: inout MutableSpan<UInt8>) {
    // unsafe: the pointer is used only inside the closure, with the span's count.
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    }
}
