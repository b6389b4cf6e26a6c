import Testing

@testable import System

@Suite("Explanations of failed programs")
struct ProcessExplanationTests {
    @Test(
        "One printable line of standard error, without anything that could be a secret",
        arguments: [
            ("The SSO session has expired, run: aws sso login\n", "The SSO session has expired, run: aws sso login"),
            ("Traceback (most recent call last):\n  File x\n\nKeyError: profile\n", "KeyError: profile"),
            ("  denied \r\n\r\n", "denied"), ("", nil), ("\n \n", nil),
            ("\u{1b}[31mred\u{1b}[0m \u{e9}\u{0}", "[31mred[0m ??"),
            (String(repeating: "word ", count: 60), String(repeating: "word ", count: 40)),
            // A value of the environment, or one line of it; short values occur in any text.
            ("wrong password hunter2!", nil), ("token is tokenline", nil), ("no en here", "no en here"),
            // A word of the document on standard output.
            ("got AKIAEXAMPLE", nil), ("secret s3cr3t.x", nil), ("bad Version", nil),
            // Base64 and its form in URLs, also cut into a path.
            ("key " + String(repeating: "a", count: 20), "key " + String(repeating: "a", count: 20)),
            ("key " + String(repeating: "a", count: 21), nil), ("key aGVsbG8/d29ybGQ+aGVsbG8=", nil),
            ("key aGVsbG8_d29ybGQ-aGVsbG8", nil),
        ])
    func lines(errors: String, expected: String?) { Self.check(errors, expected) }

    private static let hostile: [(String, String?)] = [
        // Control characters and blanks, in the value or in the line.
        ("ab\tcdefgh-1234", nil), ("abcdefgh-1234", nil), ("is cdefgh-1234", nil), ("hunt\u{1b}er2!", nil),
        ("is return", nil), ("is blanks", nil), ("is blanks  ", nil), ("is ab", "is ab"),
        // A line whose beginning was not kept.
        (words(4095), words(200)), (words(4096), nil), (words(4095) + "\n", nil), (words(4094) + "\r\n", nil),
        ("\n" + words(4095), words(200)), ("\0" + words(4095), words(200)), (words(4091) + "\nlast", "last"),
        (words(4092) + "\n\u{1b} \n", nil),
    ]

    @Test("A secret is recognized with control characters in it, and part of a line is not shown", arguments: hostile)
    func incomplete(errors: String, expected: String?) { Self.check(errors, expected) }

    private static func check(_ errors: String, _ expected: String?) {
        let output = #"{"Version": 1, "AccessKeyId": "AKIAEXAMPLE", "SecretAccessKey": "s3cr3t.x"}"#
        let line = ProcessExplanation.line(
            of: Array(errors.utf8), besides: Array(output.utf8),
            ["hunter2!", "first\ntokenline\n", "en", "", "ab\tcdefgh-1234", "x\rreturn\r", " blanks  "])
        #expect(line == expected)
    }

    /// Returns text of short words, with a size in bytes.
    private static func words(_ count: Int) -> String {
        String(String(repeating: "word ", count: count / 5 + 1).prefix(count))
    }
}
