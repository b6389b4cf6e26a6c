/// A growable output of bytes: responses, log lines, canonical requests, metrics and XML are written to one.
///
/// It owns its memory and is never copied. Appends are inlined, so many short texts cost little more than one long text.
// Sendable: the memory belongs to one value, which takes it along to another thread.
@safe
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // unsafe: this value owns the memory, and only the first `length` bytes are read.
    @usableFromInline var memory: UnsafeMutablePointer<UInt8>
    /// The number of bytes that fit before the buffer grows.
    @usableFromInline package internal(set) var capacity: Int
    @usableFromInline var length = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter capacity: the number of bytes that fit before the buffer grows.
    package init(capacity: Int = 0) {
        self.capacity = capacity
        unsafe memory = .allocate(capacity: capacity)
    }

    deinit {
        // unsafe: nothing else refers to the memory.
        unsafe memory.deallocate()
    }

    /// The number of bytes.
    @inlinable
    package var count: Int { length }

    /// A copy of the bytes.
    package var bytes: [UInt8] { withBytes(0..<length) { [UInt8](copying: $0) } }

    /// Calls a closure with some of the bytes and returns its result.
    package func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= length, "the range is out of bounds")
        // unsafe: the range is initialized, and the memory lives at least as long as this call.
        return body(unsafe Span(_unsafeStart: memory + range.lowerBound, count: range.count))
    }

    /// Appends a copy of some bytes.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: Span<UInt8>) {
        if bytes.count > capacity - length { grow(by: bytes.count) }
        // unsafe: there is room for the bytes, and the two ranges cannot overlap because the memory is this value's own.
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe (memory + length).update(from: start, count: source.count)
        }
        length += bytes.count
    }

    /// Appends one byte.
    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8) {
        if length == capacity { grow(by: 1) }
        // unsafe: there is room for the byte.
        unsafe memory[length] = byte
        length += 1
    }

    /// Appends a string literal.
    @inlinable @inline(__always)
    package mutating func append(_ text: StaticString) {
        // unsafe: the literal lives as long as the program, and the count is its own.
        unsafe append(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a copy of some bytes.
    package mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends the UTF-8 bytes of a text.
    package mutating func append(utf8 text: String) { append(text.utf8.span) }

    /// Removes all bytes but the first ones.
    package mutating func truncate(to count: Int) {
        precondition(0...length ~= count, "there are not that many bytes")
        length = count
    }

    /// Moves the bytes to memory that has room for more.
    @usableFromInline
    mutating func grow(by count: Int) {
        let capacity = max(2 * capacity, length + count)
        // unsafe: the new memory is larger than the old one, which nothing else refers to.
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe larger.update(from: memory, count: length)
        unsafe memory.deallocate()
        unsafe memory = larger
        self.capacity = capacity
    }
}

extension ByteBuffer {
    /// Appends a number in decimal.
    package mutating func append(decimal number: Int) {
        if number < 0 { append(ASCII.hyphen) }
        append(digitsOf: number.magnitude)
    }

    private mutating func append(digitsOf number: UInt) {
        if number >= 10 { append(digitsOf: number / 10) }
        append(ASCII.zero + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two decimal digits.
    ///
    /// - Parameter number: 0 to 99.
    mutating func append(twoDigits number: Int) {
        append(ASCII.zero + UInt8(truncatingIfNeeded: number / 10))
        append(ASCII.zero + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two lowercase hexadecimal digits for each byte.
    package mutating func append(hexadecimal bytes: Span<UInt8>) {
        for index in bytes.indices {
            append(Hexadecimal.digit(bytes[index] >> 4))
            append(Hexadecimal.digit(bytes[index] & 0x0F))
        }
    }

    /// Appends a year of four digits, a month and a day of two: 8 bytes, or 10 with separators.
    ///
    /// - Parameter separator: the byte between them; nil for none.
    package mutating func append(_ date: CivilDate, separator: UInt8? = nil) {
        append(year: date)
        if let separator { append(separator) }
        append(twoDigits: date.month)
        if let separator { append(separator) }
        append(twoDigits: date.day)
    }

    /// Appends the last four digits of the year.
    mutating func append(year date: CivilDate) {
        append(twoDigits: date.year / 100 % 100)
        append(twoDigits: date.year % 100)
    }

    /// Appends hour, minute and second, two digits each: 6 bytes, or 8 with separators.
    ///
    /// - Parameter separator: the byte between them; nil for none.
    package mutating func append(clock time: CivilTime, separator: UInt8? = nil) {
        append(twoDigits: time.hour)
        if let separator { append(separator) }
        append(twoDigits: time.minute)
        if let separator { append(separator) }
        append(twoDigits: time.second)
    }
}
