extension OutputSpan<UInt8> {
    /// The most bytes a number takes: a sign and 19 digits.
    @inlinable package static var longestDecimal: Int { 20 }

    /// Appends a number in decimal.
    package mutating func append(decimal number: Int) {
        if number < 0 { append(0x2D) }
        append(digitsOf: number.magnitude)
    }

    private mutating func append(digitsOf number: UInt) {
        if number >= 10 { append(digitsOf: number / 10) }
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends a number of three digits at most in decimal, with less to do than for one of any length.
    @inlinable
    package mutating func append(decimal number: UInt8) {
        if number >= 100 { append(0x30 + number / 100) }
        if number >= 10 { append(0x30 + number / 10 % 10) }
        append(0x30 + number % 10)
    }

    /// Appends two decimal digits; of a greater number its last two.
    @inlinable @inline(__always)
    package mutating func append(twoDigits number: Int) {
        append(0x30 + UInt8(truncatingIfNeeded: number / 10 % 10))
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two lower-case hexadecimal digits for every byte.
    @inlinable
    package mutating func append(hexadecimal bytes: Span<UInt8>) {
        var index = 0
        while bytes.count &- index >= 16 {
            append(hexadecimal: bytes.block(at: index))
            index &+= 16
        }
        while index < bytes.count {
            let digits = Self.digits(ofSixteen: SIMD16(repeating: bytes[index]))
            append(digits[0])
            append(digits[1])
            index += 1
        }
    }

    /// Appends the digits of sixteen bytes.
    @inlinable @inline(__always)
    package mutating func append(hexadecimal bytes: SIMD16<UInt8>) {
        append(first: 32, ofPlain: Self.digits(ofSixteen: bytes))
    }

    /// The digits of sixteen bytes: all at once, without a branch that random digits would make the processor guess wrong.
    @inlinable @inline(__always)
    package static func digits(ofSixteen bytes: SIMD16<UInt8>) -> SIMD32<UInt8> {
        var digits = SIMD32<UInt8>()
        digits.evenHalf = characters(ofDigits: bytes &>> 4)
        digits.oddHalf = characters(ofDigits: bytes & 0x0F)
        return digits
    }

    /// The characters of digits 0...15. Letters begin 39 above where the tenth decimal digit would be.
    @inlinable @inline(__always)
    package static func characters(ofDigits digits: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let isLetter = (digits &+ 6) &>> 4
        return digits &+ 0x30 &+ (0 &- isLetter) & 39
    }
}
