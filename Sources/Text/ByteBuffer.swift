/// A growable output of bytes: responses, log lines, canonical requests, metrics and XML are written to one.
///
/// It owns its memory and is never copied.
public struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // Sendable, because the buffer cannot be copied and nothing else refers to the memory until `finish`.
    /// The memory of `capacity` bytes, the first `length` of which are initialized; nil if the capacity is 0.
    @usableFromInline var memory: ByteMemory?
    @usableFromInline var size: Int
    @usableFromInline var length = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter capacity: the number of bytes that fit before the buffer grows.
    public init(capacity: Int = 0) {
        memory = capacity > 0 ? ByteMemory.create(minimumCapacity: capacity) { _ in } : nil
        size = capacity
    }

    /// The number of bytes.
    @inlinable
    public var count: Int { length }

    /// The number of bytes that fit before the buffer grows.
    public var capacity: Int { size }

    /// A copy of the bytes.
    public var bytes: [UInt8] { withBytes(0..<length) { [UInt8](copying: $0) } }

    /// Returns the bytes without a copy.
    public consuming func finish() -> FinishedBytes { FinishedBytes(memory, count: length) }

    /// Calls a closure with some of the bytes and returns its result.
    public func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= length, "the range is out of bounds")
        guard let memory else { return body(Span()) }
        return memory.withBytes(range, body)
    }

    /// Appends a copy of some bytes.
    @inlinable @inline(__always)
    public mutating func append(_ bytes: Span<UInt8>) {
        if size - length < bytes.count { grow(by: bytes.count) }
        // unsafe: there is room for the bytes, which are not in this memory, as the buffer is accessed exclusively.
        unsafe memory?.withUnsafeMutablePointerToElements { elements in
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let start = source.baseAddress else { return }
                unsafe (elements + length).initialize(from: start, count: source.count)
            }
        }
        length += bytes.count
    }

    /// Appends one byte.
    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) {
        if length == size { grow(by: 1) }
        // unsafe: there is room for the byte.
        unsafe memory?.withUnsafeMutablePointerToElements { unsafe ($0 + length).initialize(to: byte) }
        length += 1
    }

    /// Appends a string literal.
    @inlinable @inline(__always)
    public mutating func append(_ text: StaticString) {
        // unsafe: the literal lives as long as the program, and the count is its own.
        unsafe append(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a copy of some bytes.
    public mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends a copy of some bytes.
    public mutating func append(_ bytes: FinishedBytes) { bytes.withSpan { append($0) } }

    /// Appends the UTF-8 bytes of a text.
    public mutating func append(utf8 text: String) { append(text.utf8.span) }

    /// Removes all bytes but the first ones.
    public mutating func truncate(to count: Int) {
        precondition(0...length ~= count, "a buffer cannot be truncated to more bytes than it has")
        length = count
    }

    /// Moves the bytes to memory with room for `added` more, at least twice as large.
    @usableFromInline
    mutating func grow(by added: Int) {
        var larger = ByteBuffer(capacity: max(length + added, 2 * size))
        withBytes(0..<length) { larger.append($0) }
        self = larger
    }
}

/// The memory of a buffer.
@usableFromInline typealias ByteMemory = ManagedBuffer<Void, UInt8>

extension ByteMemory {
    /// Calls a closure with bytes that are initialized, and returns its result.
    func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
        // unsafe: the caller has checked the range, and the closure cannot keep the span.
        unsafe withUnsafeMutablePointerToElements {
            unsafe body(Span(_unsafeStart: $0 + range.lowerBound, count: range.count))
        }
    }
}
