import Foundation
import Testing

/// What the README shows is what the tests run.
@Suite struct READMESnippetTests {
    @Test("the file system for DuckDB stands line by line in the script that the tests run")
    func duckDB() throws {
        let top = OpenAPIDocument.repository
        let readme = try String(contentsOf: top.appending(path: "README.md"), encoding: .utf8)
        let script = try String(contentsOf: top.appending(path: "Tests/clients/duckdb_upload.py"), encoding: .utf8)
        let rest = readme.components(separatedBy: "```python\n").first { $0.contains("register_filesystem") }
        let block = try #require(rest?.components(separatedBy: "```").first)
        // Imports stand in another form; the last line is the reader's own query.
        let shown = block.split(separator: "\n").filter { !$0.contains("import ") }.dropLast()
        let run = Set(script.split(separator: "\n"))
        #expect(shown.count > 20)
        for line in shown { #expect(run.contains(line), "\(line)") }
    }
}
