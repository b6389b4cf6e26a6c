import Foundation
import TestSupport
import Testing

/// Compares what Security.md promises with `Tests/Cases/security.md`, which names the tests.
@Suite("Claims of Security.md")
struct SecurityClaimTests {
    private static func page() throws -> MarkdownDocument { try #require(try MarkdownDocument.page("Security.md")) }

    /// The cells of the rows of a table in the list, by the first cell of its header.
    private static func rows(of header: String) throws -> [[String]] {
        let list = try MarkdownDocument(path: "Tests/Cases/security.md")
        let tables = list.prose.map(\.text).split { !$0.hasPrefix("|") }.map { table in
            table.map {
                $0.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            }
        }
        let table = try #require(tables.first { $0.first?.first == header })
        return Array(table.dropFirst(2))
    }

    @Test("Each number of the page has a row, in order, and each row a number")
    func numbers() throws {
        let numbers = try Self.page().text.matches(of: /\((S[0-9]+)\)/).dropFirst().map { String($0.1) }
        let rows = try Self.rows(of: "").map { $0[0] }
        #expect(numbers == rows && rows == (1...rows.count).map { "S\($0)" } && rows.count > 40)
    }

    @Test("Each claim names tests, and they exist")
    func tests() throws {
        let sources = try SourceIndex()
        for row in try Self.rows(of: "") {
            let names = row[2].matches(of: /`(\w+)\.(\w+)`/)
            #expect(!names.isEmpty && row[2].split(separator: ",").count == names.count, "\(row)")
            for name in names {
                let exists = sources.files.contains { path, file in
                    path.hasPrefix("Tests/") && file.owners.contains(String(name.1))
                        && file.members.contains(String(name.2)) && file.code.contains("@Test")
                }
                #expect(exists, "\(row[0]): \(name.0) does not exist")
            }
        }
    }

    @Test("What promises has a number, or stands in the list of what has none")
    func coverage() throws {
        var plain = try Self.rows(of: "begins with").map { $0[0] }
        for text in try Self.promises() where text.firstMatch(of: /\(S[0-9]+\)/) == nil {
            let index = plain.firstIndex { text.hasPrefix($0) }
            #expect(index != nil, "has no number: \(text)")
            index.map { _ = plain.remove(at: $0) }
        }
        #expect(plain == [], "the page has no such sentence, or it has a number")
    }

    /// The rows and sentences that promise something.
    private static func promises() throws -> [String] {
        let words = /\b(?:never|refused?|refuses|rejected|cannot|always|only|429|403|accepted|does not|not valid)\b/
        let page = try page()
        let exempt = page.headings.filter { ["Set-up checklist", "Reporting a vulnerability"].contains($0.title) }
            .map(page.section)
        var (promises, header) = ([String](), "")
        for (_, line) in page.prose where !line.hasPrefix("#") && !exempt.contains(where: { $0.contains(line) }) {
            guard line.hasPrefix("|") else {
                header = ""
                promises += line.replacing(/([.:]\)?) (?=[A-Z`*\[])/) { "\($0.1)\n" }.split(separator: "\n")
                    .filter { $0.contains(words) }.map(String.init)
                continue
            }
            if header.isEmpty { header = String(line) }
            let isRow = line != header && !line.hasPrefix("|---")
            if isRow, !header.hasPrefix("| not guaranteed") { promises.append(String(line.dropFirst(2))) }
        }
        return promises
    }
}
