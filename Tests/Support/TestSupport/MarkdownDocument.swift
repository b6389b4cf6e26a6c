import Foundation

/// A Markdown page of the repository: its blocks, headings and links.
package struct MarkdownDocument: Sendable, CustomStringConvertible {
    /// A section heading.
    package struct Heading: Sendable {
        /// 1 for the title of the page.
        package let level: Int
        package let title: String
        /// The line, from 1.
        package let line: Int
    }

    /// The target of a link or an image, as written.
    package struct Link: Sendable {
        package let target: String
        /// The line, from 1.
        package let line: Int
    }

    /// The folder of the guide.
    package static let guide = "Sources/presign/presign.docc"

    /// The path, relative to the root folder of the repository.
    package let path: String
    package let text: String
    package let blocks: [MarkdownBlock]
    package let headings: [Heading]
    /// The lines outside of blocks, with their numbers from 1.
    package let prose: [(line: Int, text: Substring)]

    package var description: String { path }

    package init(path: String, text: String) {
        self.path = path
        self.text = text
        blocks = MarkdownBlock.all(in: text)
        let inBlocks = blocks.reduce(into: Set<Int>()) { lines, block in
            lines.formUnion((block.line - 1)...(block.line + block.text.count(where: { $0 == "\n" })))
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        prose = lines.map { (line: $0.offset + 1, text: $0.element) }.filter { !inBlocks.contains($0.line) }
        headings = prose.compactMap { line, text in
            let level = text.prefix { $0 == "#" }.count
            guard (1...6).contains(level), text.dropFirst(level).first == " " else { return nil }
            return Heading(level: level, title: String(text.dropFirst(level + 1)), line: line)
        }
    }

    /// The links and images outside of code.
    package var links: [Link] {
        let (code, link) = (/`[^`]*`/, /\]\(([^)\s]+)[^)]*\)|(?:href|src)="([^"]+)"/)
        return prose.flatMap { line, text in
            text.replacing(code, with: "").matches(of: link).compactMap { match in
                (match.output.1 ?? match.output.2).map { Link(target: String($0), line: line) }
            }
        }
    }

    /// Reads a page of the repository.
    package init(path: String) throws {
        self.init(path: path, text: try Repository.text(of: path))
    }

    /// README.md and every page of the guide, sorted by name.
    package static var all: [MarkdownDocument] {
        get throws { try [MarkdownDocument(path: "README.md")] + pages }
    }

    /// Every page of the guide, sorted by name. Empty if the guide is not in this copy of the sources, as in an image
    /// build.
    package static var pages: [MarkdownDocument] {
        get throws {
            let folder = Repository.root.appending(path: guide)
            guard FileManager.default.fileExists(atPath: folder.path()) else { return [] }
            return try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
                .filter { $0.hasSuffix(".md") }
                .map { try MarkdownDocument(path: "\(guide)/\($0)") }
        }
    }

    /// A page of the guide; nil if it is not there.
    package static func page(_ name: String) throws -> MarkdownDocument? {
        try pages.first { $0.path == "\(guide)/\(name)" }
    }

    /// The anchors that a code host generates from the headings.
    package var anchors: Set<String> {
        var anchors: Set<String> = []
        for heading in headings {
            let anchor = Self.anchor(of: heading.title)
            var (unique, count) = (anchor, 0)
            while !anchors.insert(unique).inserted {
                count += 1
                unique = "\(anchor)-\(count)"
            }
        }
        return anchors
    }

    /// The anchor of a heading: lower-case letters, digits, `-` and `_`, with a hyphen for each space.
    package static func anchor(of title: String) -> String {
        let withoutTargets = title.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.output.1 }
        return String(
            withoutTargets.lowercased().compactMap { character in
                if character == " " { return "-" }
                return character.isLetter || character.isNumber || "-_".contains(character) ? character : nil
            })
    }

    /// A code span in the first cell of a table's row.
    package struct TableKey: Sendable {
        /// The first cell of the table's header.
        package let header: String
        package let key: String
        /// The line, from 1.
        package let line: Int
    }

    /// The code spans in the first cells of the tables.
    package var tableKeys: [TableKey] {
        var header: String?
        return prose.flatMap { line, text -> [TableKey] in
            guard text.hasPrefix("|"), let cell = text.dropFirst().split(separator: "|").first else {
                header = nil
                return []
            }
            guard let header else {
                header = cell.trimmingCharacters(in: .whitespaces)
                return []
            }
            return cell.matches(of: /`([^`]+)`/).map { TableKey(header: header, key: String($0.output.1), line: line) }
        }
    }

    /// The text below a heading, up to the next heading of the same or a higher level.
    package func section(_ heading: Heading) -> String {
        let next = headings.first { $0.line > heading.line && $0.level <= heading.level }?.line ?? Int.max
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset + 1 > heading.line && $0.offset + 1 < next }
            .map { String($0.element) }.joined(separator: "\n")
    }
}
