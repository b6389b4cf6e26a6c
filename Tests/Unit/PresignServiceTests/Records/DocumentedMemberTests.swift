import TestSupport
import Testing

/// Compares the guide's table of the members of a line with the names that the code writes.
@Suite("Documented members of log and audit", .enabled(if: (try? MarkdownDocument.page("Operations.md")) != nil))
struct DocumentedMemberTests {
    /// The names of the members that a file of `Records` appends.
    private static func written(in file: String) throws -> Set<String> {
        let lines = try Repository.text(of: "Sources/PresignService/Records/\(file)").split(separator: "\n")
        let code = lines.filter { !$0.trimmingPrefix { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        let names = code.matches(of: #/(?:member|text)\("(\w+)"|[{,]"(\w+)":/#)
        return Set(names.compactMap { ($0.output.1 ?? $0.output.2).map(String.init) })
    }

    /// The members of which a column of the table says `yes`; the log is column 1, the audit column 2.
    private static func documented(column: Int) throws -> Set<String> {
        let page = try #require(try MarkdownDocument.page("Operations.md"))
        let rows = page.prose.map { $0.text.split(separator: "|") }.filter {
            $0.count == 4 && [" yes ", " – "].contains($0[1]) && [" yes ", " – "].contains($0[2])
        }
        return Set(
            rows.filter { $0[column] == " yes " }
                .flatMap { $0[0].matches(of: /`(\w+)`/).map { String($0.output.1) } })
    }

    @Test("The table has the members of a line of the request log, and no other")
    func log() throws {
        #expect(try Self.documented(column: 1) == Self.written(in: "RequestRecord.swift"))
    }

    @Test("The table has the members of a line of the audit, and no other")
    func audit() throws {
        #expect(try Self.documented(column: 2) == Self.written(in: "AuditLine.swift").union(["store"]))
    }
}
