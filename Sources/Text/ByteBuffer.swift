/// A growable output of bytes: responses, log lines, canonical requests, metrics and XML are written to one.
///
/// It is never copied. Appends are inlined, so many short texts cost little more than one long text.
public struct ByteBuffer: ~Copyable, Sendable {
    @usableFromInline var storage: [UInt8] = []

    /// The bytes.
    public var bytes: [UInt8] { storage }

    /// Creates an empty buffer.
    ///
    /// - Parameter capacity: the number of bytes that fit before the buffer grows.
    public init(capacity: Int = 0) { storage.reserveCapacity(capacity) }

    /// The number of bytes.
    @inlinable
    public var count: Int { storage.count }

    /// The number of bytes that fit before the buffer grows.
    public var capacity: Int { storage.capacity }

    /// Calls a closure with some of the bytes and returns its result.
    public func withBytes<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) -> Result) -> Result {
        body(storage.span.extracting(range))
    }

    /// Appends a copy of some bytes.
    @inlinable @inline(__always)
    public mutating func append(_ bytes: Span<UInt8>) { storage.append(bytes) }

    /// Appends one byte.
    @inlinable @inline(__always)
    public mutating func append(_ byte: UInt8) { storage.append(byte) }

    /// Appends a string literal.
    @inlinable @inline(__always)
    public mutating func append(_ text: StaticString) {
        // unsafe: the literal lives as long as the program, and the count is its own.
        unsafe append(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a copy of some bytes.
    public mutating func append(_ bytes: borrowing [UInt8]) { append(bytes.span) }

    /// Appends the UTF-8 bytes of a text.
    public mutating func append(utf8 text: String) { append(text.utf8.span) }

    /// Removes all bytes but the first ones.
    public mutating func truncate(to count: Int) { storage.removeLast(storage.count - count) }
}

extension ByteBuffer {
    /// Appends a number in decimal.
    public mutating func append(decimal number: Int) {
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
    public mutating func append(hexadecimal bytes: Span<UInt8>) {
        for index in bytes.indices {
            append(Hexadecimal.digit(bytes[index] >> 4))
            append(Hexadecimal.digit(bytes[index] & 0x0F))
        }
    }

    /// Appends a year of four digits, a month and a day of two: 8 bytes, or 10 with separators.
    ///
    /// - Parameter separator: the byte between them; nil for none.
    public mutating func append(_ date: CivilDate, separator: UInt8? = nil) {
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
    public mutating func append(clock time: CivilTime, separator: UInt8? = nil) {
        append(twoDigits: time.hour)
        if let separator { append(separator) }
        append(twoDigits: time.minute)
        if let separator { append(separator) }
        append(twoDigits: time.second)
    }
}
