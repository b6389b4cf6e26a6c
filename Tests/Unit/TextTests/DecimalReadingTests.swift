import Testing
import Text

@Suite("Reading decimal numbers")
struct DecimalReadingTests {
    @Test(
        "Digits are read as a number",
        arguments: [
            ("0", 0), ("7", 7), ("10", 10), ("0080", 80), ("9223372036854775807", .max),
            ("000000000000000000000000042", 42),
        ])
    func numbers(_ text: String, _ number: Int) {
        #expect(Int(decimal: text.utf8.span) == number)
    }

    @Test(
        "Anything else and numbers out of range are rejected",
        arguments: [
            "", "+1", "-1", "-0", " 1", "1 ", "1\n", "1_000", "1,0", "1.0", "1e3", "0x1", "/", ":", "1\u{0}", "\u{663}",
            "９", "9223372036854775808", "9223372036854775810", "18446744073709551617",
            "99999999999999999999999999999999999999999",
        ])
    func others(_ text: String) {
        #expect(Int(decimal: text.utf8.span) == nil)
    }

    @Test(
        "A range is inclusive",
        arguments: [("0", false), ("1", true), ("65535", true), ("65536", false), ("00001", true)])
    func ranges(_ text: String, _ isAccepted: Bool) {
        #expect((Int(decimal: text.utf8.span, in: 1...65_535) != nil) == isAccepted)
    }

    @Test(
        "The canonical form has a sign only if negative, and no leading zeros",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("10", 10), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("", nil),
            ("-", nil), ("--1", nil), ("+1", nil), ("00", nil), ("01", nil), ("-01", nil), ("1.0", nil), ("1e2", nil),
            (" 1", nil), ("1 ", nil),
        ] as [(String, Int?)])
    func canonical(_ text: String, _ number: Int?) {
        #expect(Int(canonicalDecimal: text.utf8.span) == number)
    }
}
