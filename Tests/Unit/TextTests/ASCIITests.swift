import Testing
import Text

@Suite("ASCII character classes")
struct ASCIITests {
    struct Class: Sendable, CustomTestStringConvertible {
        let name: String
        let contains: @Sendable (UInt8) -> Bool
        let members: String

        var testDescription: String { name }
    }

    private static let digits = "0123456789"
    private static let lowercase = "abcdefghijklmnopqrstuvwxyz"
    private static let uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    private static let marks = ##"!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"##
    private static let controls = String(String.UnicodeScalarView((0..<32).map { Unicode.Scalar($0) })) + "\u{7F}"

    static let classes = [
        Class(name: "digit", contains: ASCII.isDigit, members: digits),
        Class(name: "lower case", contains: ASCII.isLowercase, members: lowercase),
        Class(name: "upper case", contains: ASCII.isUppercase, members: uppercase),
        Class(name: "letter", contains: ASCII.isLetter, members: lowercase + uppercase),
        Class(name: "alphanumeric", contains: ASCII.isAlphanumeric, members: digits + lowercase + uppercase),
        Class(name: "hexadecimal", contains: ASCII.isLowercaseHexadecimal, members: digits + "abcdef"),
        Class(name: "visible", contains: ASCII.isVisible, members: digits + lowercase + uppercase + marks),
        Class(name: "printable", contains: ASCII.isPrintable, members: digits + lowercase + uppercase + marks + " "),
        Class(name: "control", contains: ASCII.isControl, members: controls),
        Class(name: "blank", contains: ASCII.isBlank, members: " \t"),
        Class(name: "white space", contains: ASCII.isWhitespace, members: " \t\n\r"),
        Class(
            name: "token", contains: ASCII.isToken, members: digits + lowercase + uppercase + "!#$%&'*+-.^_`|~"),
    ]

    @Test("A class contains exactly its members", arguments: classes)
    func members(_ example: Class) {
        let members = Set(example.members.unicodeScalars.map(\.value))
        for byte in UInt8.min...UInt8.max {
            #expect(example.contains(byte) == members.contains(UInt32(byte)), "\(byte)")
        }
    }

    @Test("A field value may contain anything except control characters; a tab is allowed")
    func fieldContent() {
        for byte in UInt8.min...UInt8.max {
            #expect(ASCII.isFieldContent(byte) == (byte == 9 || !ASCII.isControl(byte)), "\(byte)")
        }
    }

    @Test("Only ASCII letters change case")
    func lowercased() {
        for byte in UInt8.min...UInt8.max {
            let expected = Self.uppercase.utf8.contains(byte) ? byte + 32 : byte
            #expect(ASCII.lowercased(byte) == expected, "\(byte)")
        }
        #expect(ASCII.lowercased("X-Ämz@[Z".utf8) == Array("x-Ämz@[z".utf8))
    }

    @Test(
        "A prefix is compared ignoring case",
        arguments: [
            ("HTTPS://a", true), ("https://", true), ("https:/", false), ("", false), ("hTtP://abc", false),
            ("https:?/", false),
        ])
    func prefix(_ text: String, _ starts: Bool) {
        #expect(text.utf8.span.startsIgnoringCase(with: "https://") == starts)
    }

    @Test(
        "Trimming removes bytes of the class at both ends only",
        arguments: [
            ("", ""), (" \t ", ""), (" a b\t", "a b"), ("a", "a"), ("\na ", "\na"), ("  a", "a"), ("a  ", "a"),
        ])
    func trimming(_ text: String, _ expected: String) {
        #expect(Array(text.utf8)[...].trimming(ASCII.isBlank).elementsEqual(expected.utf8))
    }
}
