/// ASCII characters by name, and the character classes of HTTP, URIs, JSON and XML.
package enum ASCII {
    static let tab: UInt8 = 0x09
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20
    package static let quote: UInt8 = 0x22
    package static let percent: UInt8 = 0x25
    package static let asterisk: UInt8 = 0x2A
    package static let comma: UInt8 = 0x2C
    static let hyphen: UInt8 = 0x2D
    package static let dot: UInt8 = 0x2E
    package static let slash: UInt8 = 0x2F
    package static let zero: UInt8 = 0x30
    package static let colon: UInt8 = 0x3A
    package static let semicolon: UInt8 = 0x3B
    package static let equals: UInt8 = 0x3D
    package static let question: UInt8 = 0x3F
    static let at: UInt8 = 0x40
    package static let leftBracket: UInt8 = 0x5B
    package static let backslash: UInt8 = 0x5C
    package static let rightBracket: UInt8 = 0x5D
    static let underscore: UInt8 = 0x5F

    /// Whether the byte is a token character, `tchar` (RFC 9110 section 5.6.2): a letter, a digit or one of
    /// `!#$%&'*+-.^_`|~`.
    @inlinable @inline(__always)
    package static func isToken(_ byte: UInt8) -> Bool {
        // One bit per character: the first set holds 0...63, the second 64...127.
        let set: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether the byte may occur in a header field value (RFC 9110 section 5.5): a tab, or anything but a control
    /// character.
    @inlinable @inline(__always)
    package static func isFieldContent(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }

    /// Whether the byte may occur unescaped in a registered name (RFC 3986 section 3.2.2): unreserved and sub-delims.
    static func isRegisteredName(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 64 ? 0x2BFF_7FD2_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether the byte may occur unescaped in a path (RFC 3986 section 3.3): `/`, or a `pchar` other than an escape.
    static func isPath(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 64 ? 0x2FFF_FFD2_0000_0000 : 0x47FF_FFFE_87FF_FFFF
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether the byte is a space or a tab, the optional whitespace of HTTP (RFC 9110 section 5.6.3).
    package static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// Whether the byte is a space, a tab, a line feed or a carriage return, the whitespace of JSON and XML.
    package static func isWhitespace(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == lineFeed || byte == carriageReturn
    }

    /// `0` to `9`.
    package static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// `A` to `Z`.
    package static func isUppercase(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

    /// `a` to `z`.
    package static func isLowercase(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte }

    /// A letter of either case.
    package static func isLetter(_ byte: UInt8) -> Bool { isUppercase(byte) || isLowercase(byte) }

    /// A letter of either case or a digit.
    package static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    /// `0` to `9` or `a` to `f`.
    package static func isLowercaseHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || 0x61...0x66 ~= byte }

    /// A printable character other than a space: `!` to `~`.
    package static func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte }

    /// A visible character or a space.
    package static func isPrintable(_ byte: UInt8) -> Bool { 0x20...0x7E ~= byte }

    /// A control character: less than a space, or DEL.
    package static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Returns the lowercase form of an uppercase letter, and any other byte unchanged.
    package static func lowercased(_ byte: UInt8) -> UInt8 { isUppercase(byte) ? byte | 0x20 : byte }

    /// Returns the bytes with uppercase letters converted to lowercase.
    package static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] { bytes.map { lowercased($0) } }
}
