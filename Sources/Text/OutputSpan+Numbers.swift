extension OutputSpan<UInt8> {
    /// The most bytes of a decimal number: a sign and 19 digits.
    package static var longestDecimal: Int { 20 }

    /// Appends a number in decimal.
    package mutating func append(decimal number: Int) {
        if number < 0 { append(0x2D) }
        append(digitsOf: number.magnitude)
    }

    private mutating func append(digitsOf number: UInt) {
        if number >= 10 { append(digitsOf: number / 10) }
        append(0x30 + UInt8(truncatingIfNeeded: number % 10))
    }

    /// Appends two decimal digits.
    ///
    /// - Parameter number: 0 to 99.
    mutating func append(twoDigits number: Int) {
        let number = UInt8(truncatingIfNeeded: number)
        append(0x30 + number / 10)
        append(0x30 + number % 10)
    }

    /// Appends two lowercase hexadecimal digits for each byte.
    package mutating func append(hexadecimal bytes: Span<UInt8>) {
        var index = 0
        while bytes.count &- index >= 16 {
            append(first: 32, ofPlain: Self.digits(of: bytes.block(at: index)))
            index &+= 16
        }
        while index < bytes.count {
            let digits = Self.digits(of: SIMD16(repeating: bytes[index]))
            append(digits[0])
            append(digits[1])
            index += 1
        }
    }

    /// The hexadecimal digits of 16 bytes. It avoids a branch per digit: digests are random, so it would be
    /// mispredicted.
    private static func digits(of bytes: SIMD16<UInt8>) -> SIMD32<UInt8> {
        var digits = SIMD32<UInt8>()
        digits.evenHalf = characters(ofDigits: bytes &>> 4)
        digits.oddHalf = characters(ofDigits: bytes & 0x0F)
        return digits
    }

    /// The characters of the digits 0...15. `a` is 39 above the character that follows `9`.
    private static func characters(ofDigits digits: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let isLetter = (digits &+ 6) &>> 4
        return digits &+ 0x30 &+ (0 &- isLetter) & 39
    }
}
