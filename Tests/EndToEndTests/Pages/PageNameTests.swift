import Foundation
import Testing

extension Pages {
    @Suite("Names of files on the page")
    struct PageNameTests {
        private static let arabic = "مستند تجريبي.txt"
        private static let hebrew = String(repeating: "דוח שנתי לשנת 2026 ", count: 8) + ".docx"
        private static let long = "A report about all companies with an e\u{301}nd.docx"

        private struct Name: Decodable, Equatable {
            let stem: String
            let tail: String
            let direction: String
        }

        /// The parts of the names in the list, by path.
        private static let names = """
            return Object.fromEntries([...document.querySelectorAll('#entries .entry')].map((row) => {
              const [stem, tail] = ['.stem', '.tail'].map((part) => row.querySelector(part).textContent);
              const { direction } = getComputedStyle(row.querySelector('.shown'));
              return [row.querySelector('.path').textContent, { stem, tail, direction }];
            }))
            """

        @Test(
            "Only a name that does not fit is cut, and its end is shown; one from right to left keeps its order",
            arguments: Browser.Kind.atLeast(.firefox))
        func directions(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                for name in [Self.arabic, Self.hebrew, Self.long, "a.txt"] {
                    try await scenario.store("x", at: "names/\(name)")
                }
                try await scenario.open("folder=names")
                try await browser.show(.narrow)
                let isCut = "[...document.querySelectorAll('#entries .tail')].some((tail) => tail.textContent !== '')"
                try await browser.wait(until: isCut)
                #expect(
                    try await browser.evaluate(Self.names, as: [String: Name].self) == [
                        Self.arabic: Name(stem: Self.arabic, tail: "", direction: "rtl"),
                        Self.hebrew: Name(stem: Self.hebrew, tail: "", direction: "rtl"),
                        Self.long: Name(stem: String(Self.long.dropLast(8)), tail: "e\u{301}nd.docx", direction: "ltr"),
                        "a.txt": Name(stem: "a.txt", tail: "", direction: "ltr"),
                    ])
                try await browser.expectAccessible("names")
                // There is room for it again.
                try await browser.wait(until: "!(\(isCut))")
            }
        }

        @Test("A short name stands on one line with its folder")
        func baseline() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                try await browser.holdUploads()
                try await browser.run(PageUploadTests.drop.replacing("dropped.txt", with: "folder/a.txt"))
                try await browser.wait(until: "document.querySelectorAll('#list .file').length === 1")
                // A file from a drop has no folder; the page only reads the name.
                let distance: Double = try await browser.evaluate(
                    """
                    const [name, folder] = ['.stem', '.within'].map((part) => {
                      const node = document.querySelector(`#list ${part}`), mark = document.createElement('span');
                      Object.assign(mark.style, { display: 'inline-block', height: '0' });
                      node.append(mark);
                      return mark.getBoundingClientRect().bottom;
                    });
                    return Math.abs(name - folder);
                    """)
                #expect(distance < 1)
                try await browser.releaseUploads()
            }
        }

        @Test("Names that look the same are found by either, and keep their stored form")
        func sameLooks() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                let composed = "caf\u{e9}.txt", decomposed = "cafe\u{301}.txt", spaced = "at\u{202f}3 PM.png"
                for name in [composed, decomposed, spaced] + (0..<8).map({ "file-\($0).txt" }) {
                    try await scenario.store("x", at: "names/\(name)")
                }
                try await scenario.open("folder=names")
                for (text, found) in [
                    (composed, [composed, decomposed]), (decomposed, [composed, decomposed]), ("at 3 pm", [spaced]),
                ] {
                    try await browser.run(
                        """
                        const filter = document.querySelector('#filter');
                        filter.value = \(try javaScript(text));
                        filter.dispatchEvent(new Event('input'));
                        """)
                    try await browser.wait(
                        until: "document.querySelectorAll('#entries .entry').length === \(found.count)")
                    let names: [String] = try await browser.evaluate(
                        "return [...document.querySelectorAll('#entries .path')].map((path) => path.textContent)")
                    // Strings of Swift are equal if they look the same.
                    #expect(Set(names.map { Array($0.utf8) }) == Set(found.map { Array($0.utf8) }))
                }
            }
        }

        private func javaScript(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        }
    }
}
