/// The bytes the grammar names, and its character classes.
package enum ASCII {
    static let tab: UInt8 = 0x09
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20
    package static let quote: UInt8 = 0x22
    package static let percent: UInt8 = 0x25
    package static let asterisk: UInt8 = 0x2A
    package static let comma: UInt8 = 0x2C
    package static let dot: UInt8 = 0x2E
    package static let slash: UInt8 = 0x2F
    package static let zero: UInt8 = 0x30
    static let nine: UInt8 = 0x39
    package static let colon: UInt8 = 0x3A
    package static let semicolon: UInt8 = 0x3B
    package static let equals: UInt8 = 0x3D
    package static let question: UInt8 = 0x3F
    package static let leftBracket: UInt8 = 0x5B
    package static let backslash: UInt8 = 0x5C
    package static let rightBracket: UInt8 = 0x5D
    package static let delete: UInt8 = 0x7F

    /// `tchar` of RFC 9110 5.6.2, as two bit sets: letters, digits and `!#$%&'*+-.^_`|~`.
    @inline(__always)
    package static func isToken(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// What a field value may hold (RFC 9110 5.5): everything but controls; a tab is allowed.
    @inline(__always)
    package static func isFieldContent(_ byte: UInt8) -> Bool {
        (byte >= space && byte != delete) || byte == tab
    }

    /// What a registered name may hold beside escapes (RFC 3986 3.2.2): unreserved and sub-delims.
    @inline(__always)
    package static func isRegisteredName(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 64 ? 0x2BFF_7FD2_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    /// What a path may hold beside escapes (RFC 3986 3.3): the single characters of `pchar`, and `/`.
    @inline(__always)
    package static func isPath(_ byte: UInt8) -> Bool {
        let set: UInt64 = byte < 64 ? 0x2FFF_FFD2_0000_0000 : 0x47FF_FFFE_87FF_FFFF
        return byte < 128 && (set >> UInt64(byte & 63)) & 1 == 1
    }

    package static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    package static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= nine }
}
