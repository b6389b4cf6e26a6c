import Testing

@testable import Text

@Suite("Values in messages")
struct QuotingTests {
    @Test(
        "A value is in backticks and at most 64 characters long; an empty one is called empty",
        arguments: [
            ("a", "`a`"), ("", "empty"), (" ", "` `"), ("a b", "`a b`"), ("é", "`é`"),
            (String(repeating: "x", count: 64), "`\(String(repeating: "x", count: 64))`"),
            (String(repeating: "x", count: 65), "`\(String(repeating: "x", count: 64))...`"),
            // One character of many scalars does not make a message longer.
            ("e" + String(repeating: "\u{301}", count: 100), "`e\(String(repeating: "\u{301}", count: 63))...`"),
        ])
    func quoted(text: String, shown: String) {
        #expect(text.quoted.unicodeScalars.elementsEqual(shown.unicodeScalars))
    }
}
