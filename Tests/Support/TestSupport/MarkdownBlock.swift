/// A fenced block of a Markdown document.
package struct MarkdownBlock: Sendable {
    /// The word after the opening fence, such as `sh`; empty if there is none.
    package let language: String
    /// The number of its first line, from 1.
    package let line: Int
    /// Its lines, each with a line feed.
    package let text: String
    /// The reason in `<!-- not run: REASON -->` on the line above the block.
    package let notRun: String?

    /// Languages of blocks that are not programs: output, diagrams, and data that other tests check.
    package static let dataLanguages: Set<String> = ["", "text", "mermaid", "json", "jsonl", "yaml"]

    /// Languages of blocks that a test runs in a browser.
    package static let browserLanguages: Set<String> = ["html", "jsx", "js"]

    /// The blocks of a document, in order.
    package static func all(in document: String) -> [MarkdownBlock] {
        let (fence, comment) = ("```", "<!-- not run: ")
        var blocks: [MarkdownBlock] = []
        var open: (language: String, line: Int, lines: [Substring], notRun: String?)?
        var above: Substring = ""
        for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let block = open {
                guard line == fence else {
                    open?.lines.append(line)
                    continue
                }
                blocks.append(
                    MarkdownBlock(
                        language: block.language, line: block.line, text: block.lines.map { $0 + "\n" }.joined(),
                        notRun: block.notRun))
                open = nil
            } else if line.hasPrefix(fence) {
                let reason = above.hasPrefix(comment) ? above.dropFirst(comment.count).dropLast(" -->".count) : nil
                open = (String(line.dropFirst(fence.count)), index + 2, [], reason.map(String.init))
            }
            above = line
        }
        return blocks
    }

    /// The shell command that runs the block: `sh` unchanged, Python and SQL with the commands `python` and `duckdb`.
    /// nil for other languages and for blocks marked as not run.
    package var command: String? {
        guard notRun == nil else { return nil }
        switch language {
        case "sh": return text
        case "python": return "python - <<'END-OF-BLOCK'\n\(text)END-OF-BLOCK\n"
        case "sql": return "duckdb <<'END-OF-BLOCK'\n\(text)END-OF-BLOCK\n"
        default: return nil
        }
    }
}
