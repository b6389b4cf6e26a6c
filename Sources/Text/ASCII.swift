/// ASCII characters by name, and the character classes of HTTP, URIs, JSON and XML.
public enum ASCII {
    /// The byte of HT.
    public static var tab: UInt8 { 0x09 }
    /// The byte of LF.
    public static var lineFeed: UInt8 { 0x0A }
    /// The byte of CR.
    public static var carriageReturn: UInt8 { 0x0D }
    /// The byte of SP.
    public static var space: UInt8 { 0x20 }
    /// `"`
    public static var quote: UInt8 { 0x22 }
    /// `%`
    public static var percent: UInt8 { 0x25 }
    /// `*`
    public static var asterisk: UInt8 { 0x2A }
    /// `,`
    public static var comma: UInt8 { 0x2C }
    /// `-`
    public static var hyphen: UInt8 { 0x2D }
    /// `.`
    public static var dot: UInt8 { 0x2E }
    /// `/`
    public static var slash: UInt8 { 0x2F }
    /// `0`
    public static var zero: UInt8 { 0x30 }
    /// `:`
    public static var colon: UInt8 { 0x3A }
    /// `;`
    public static var semicolon: UInt8 { 0x3B }
    /// `=`
    public static var equals: UInt8 { 0x3D }
    /// `?`
    public static var question: UInt8 { 0x3F }
    /// `@`
    public static var at: UInt8 { 0x40 }
    /// `[`
    public static var leftBracket: UInt8 { 0x5B }
    /// `\`
    public static var backslash: UInt8 { 0x5C }
    /// `]`
    public static var rightBracket: UInt8 { 0x5D }
    /// `_`
    public static var underscore: UInt8 { 0x5F }

    /// Whether the byte is a token character, `tchar` (RFC 9110 section 5.6.2): a letter, a digit or one of
    /// `!#$%&'*+-.^_`|~`.
    public static func isToken(_ byte: UInt8) -> Bool {
        // One bit per character: the first set holds 0...63, the second 64...127.
        let set: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether the byte may occur in a header field value (RFC 9110 section 5.5): a tab, or anything but a control
    /// character.
    public static func isFieldContent(_ byte: UInt8) -> Bool {
        byte == tab || !isControl(byte)
    }

    /// Whether the byte may occur unescaped in a registered name (RFC 3986 section 3.2.2): unreserved and sub-delims.
    public static func isRegisteredName(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 64 ? 0x2BFF_7FD2_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether the byte may occur unescaped in a path (RFC 3986 section 3.3): `/`, or a `pchar` other than an escape.
    public static func isPath(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 64 ? 0x2FFF_FFD2_0000_0000 : 0x47FF_FFFE_87FF_FFFF
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether the byte is a space or a tab, the optional whitespace of HTTP (RFC 9110 section 5.6.3).
    public static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// Whether the byte is a space, a tab, a line feed or a carriage return, the whitespace of JSON and XML.
    public static func isWhitespace(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == lineFeed || byte == carriageReturn
    }

    /// `0` to `9`.
    public static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// `A` to `Z`.
    public static func isUppercase(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

    /// `a` to `z`.
    public static func isLowercase(_ byte: UInt8) -> Bool { 0x61...0x7A ~= byte }

    /// A letter of either case.
    public static func isLetter(_ byte: UInt8) -> Bool { isLowercase(byte | 0x20) }

    /// A letter of either case or a digit.
    public static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    /// `0` to `9` or `a` to `f`.
    public static func isLowercaseHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || 0x61...0x66 ~= byte }

    /// A printable character other than a space: `!` to `~`.
    public static func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte }

    /// A visible character or a space.
    public static func isPrintable(_ byte: UInt8) -> Bool { 0x20...0x7E ~= byte }

    /// A control character: less than a space, or DEL.
    public static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// Returns the lowercase form of an uppercase letter, and any other byte unchanged.
    public static func lowercased(_ byte: UInt8) -> UInt8 { isUppercase(byte) ? byte | 0x20 : byte }

    /// Returns the bytes with uppercase letters converted to lowercase.
    @inlinable
    public static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] { bytes.map { lowercased($0) } }
}
