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
    func lines(errors: String, expected: String?) {
        let output = #"{"Version": 1, "AccessKeyId": "AKIAEXAMPLE", "SecretAccessKey": "s3cr3t.x"}"#
        let line = ProcessExplanation.line(
            of: Array(errors.utf8), besides: Array(output.utf8), ["hunter2!", "first\ntokenline\n", "en", ""])
        #expect(line == expected)
    }
}
