/// Eight bytes of a text, tested at once. A result has the highest bit of each byte that passes the test; all its other
/// bits are 0.
struct ByteWord {
    private let bits: UInt64

    /// - Parameter bits: the bytes, the first one in the lowest bits.
    init(_ bits: UInt64) { self.bits = bits }

    /// Finds the bytes equal to `byte`.
    func equal(to byte: UInt8) -> UInt64 {
        let difference = bits ^ Self.repeating(byte)
        return ~((difference & Self.low) &+ Self.low | difference) & Self.high
    }

    /// Finds the bytes below a bound.
    ///
    /// - Parameter bound: at most 128.
    func below(_ bound: UInt8) -> UInt64 {
        ~((bits & Self.low) &+ Self.repeating(0x80 &- bound) | bits) & Self.high
    }

    /// Finds the bytes above a bound.
    ///
    /// - Parameter bound: at most 127.
    func above(_ bound: UInt8) -> UInt64 {
        ((bits & Self.low) &+ Self.repeating(0x7F &- bound) | bits) & Self.high
    }

    /// Finds the bytes in a range.
    ///
    /// - Parameter range: its bounds are at most 127.
    func within(_ range: ClosedRange<UInt8>) -> UInt64 {
        Self.others(below(range.lowerBound) | above(range.upperBound))
    }

    /// Returns the bytes that a test has not found.
    static func others(_ found: UInt64) -> UInt64 { ~found & high }

    private static func repeating(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }
    private static var low: UInt64 { repeating(0x7F) }
    private static var high: UInt64 { repeating(0x80) }
}
