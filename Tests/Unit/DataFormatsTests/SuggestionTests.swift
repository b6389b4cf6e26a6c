import Testing

@testable import DataFormats

@Suite("Suggestions for misspelled words")
struct SuggestionTests {
    @Test(
        "Swapping neighbours is one edit, like adding, dropping or replacing a letter",
        arguments: [
            ("alow", "allow"), ("aloow", "allow"), ("wirte", "write"), ("regoin", "region"), ("Region", "region"),
            ("regio", "region"), ("rehion", "region"), ("wrtie", "write"), ("defualt", "default"),
            // A message never suggests the word that it refuses.
            ("region", nil), ("x", nil), ("nothing", nil), ("", nil), (String(repeating: "w", count: 65), nil),
        ] as [(String, String?)])
    func nearest(word: String, meant: String?) {
        let known = ["allow", "write", "region", "default", "a"]
        #expect(Suggestion.nearest(to: word, among: known) == meant)
    }
}
