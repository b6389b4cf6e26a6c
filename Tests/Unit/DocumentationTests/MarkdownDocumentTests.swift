import TestSupport
import Testing

@Suite struct MarkdownDocumentTests {
    private static let page = MarkdownDocument(
        path: "page.md",
        text: """
            # Title

            A [link](other.md#a-b "hint"), `[not a link](in code)`, ![image](a.png), <img src="b.png">.

            ## `server.limits`: sizes & times

            | key | meaning |
            |---|---|
            | `body`, `a.b` | text with `code` |

            <!-- not run: needs a bucket -->
            ```sh
            # not a heading, no [link](missing.md)
            ```

            ```yaml
            a: 1
            ```
            ### Inner
            inner text
            ## Inner
            """)

    @Test("Headings, their anchors and sections are read")
    func headings() {
        #expect(Self.page.headings.map(\.level) == [1, 2, 3, 2])
        #expect(Self.page.anchors == ["title", "serverlimits-sizes--times", "inner", "inner-1"])
        let section = Self.page.section(Self.page.headings[1])
        #expect(section.contains("| `body`") && section.hasSuffix("inner text"))
    }

    @Test("Links and images are read, but not those in code")
    func links() {
        #expect(Self.page.links.map(\.target) == ["other.md#a-b", "a.png", "b.png"])
        #expect(Self.page.links.map(\.line) == [3, 3, 3])
    }

    @Test("Blocks and the first cells of tables are read")
    func blocksAndCells() {
        #expect(Self.page.blocks.map(\.language) == ["sh", "yaml"])
        #expect(Self.page.blocks.map(\.notRun) == ["needs a bucket", nil])
        #expect(Self.page.blocks[0].command == nil)
        #expect(Self.page.tableKeys.map(\.key) == ["body", "a.b"])
        #expect(Self.page.tableKeys.map(\.header) == ["key", "key"])
    }
}
