import Foundation
import TestSupport
import Testing

@Suite("README.md and the guide")
struct DocumentationTests {
    private static let documents = Result { try MarkdownDocument.all }

    @Test("Each page has one title, and presign.md links to each page")
    func pages() throws {
        let documents = try Self.documents.get()
        for document in documents {
            #expect(document.headings.filter { $0.level == 1 }.count == 1, "\(document)")
            #expect(document.headings.first?.level == 1, "\(document)")
        }
        let pages = documents.map(\.path).filter {
            $0.hasPrefix(MarkdownDocument.guide) && !$0.hasSuffix("/presign.md")
        }
        guard !pages.isEmpty else { return }
        let landing = try #require(try MarkdownDocument.page("presign.md"))
        let linked = Set(landing.links.map { String($0.target.prefix { $0 != "#" }) })
        for page in pages {
            #expect(linked.contains((page as NSString).lastPathComponent), "presign.md does not link to \(page)")
        }
    }

    @Test("Every relative link leads to a file of the repository and to one of its headings")
    func links() throws {
        let documents = try Self.documents.get()
        var found = 0
        for document in documents {
            let folder = Repository.root.appending(path: document.path).deletingLastPathComponent()
            for link in document.links where link.target.wholeMatch(of: /[a-z]+:.*/) == nil {
                found += 1
                let parts = link.target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let path = parts[0].removingPercentEncoding ?? ""
                let file = path.isEmpty ? Repository.root.appending(path: document.path) : folder.appending(path: path)
                let exists = FileManager.default.fileExists(atPath: file.standardized.path(percentEncoded: false))
                #expect(exists, "\(document):\(link.line): \(link.target) does not exist")
                guard exists, parts.count == 2, file.pathExtension == "md" else { continue }
                let text = try String(contentsOf: file, encoding: .utf8)
                let anchors = MarkdownDocument(path: path, text: text).anchors
                #expect(anchors.contains(String(parts[1])), "\(document):\(link.line): no heading \(link.target)")
            }
        }
        #expect(found >= 5)
    }

    @Test("Every block is run by a test, is data that a test checks, or states why it is not run")
    func blocks() throws {
        for document in try Self.documents.get() {
            let elsewhere = MarkdownBlock.dataLanguages.union(MarkdownBlock.browserLanguages)
            for block in document.blocks where !elsewhere.contains(block.language) {
                #expect(block.command != nil || block.notRun?.isEmpty == false, "\(document):\(block.line)")
            }
            // A fence that is indented or has attributes would hide its block from the tests.
            let fences = document.text.split(separator: "\n").filter { $0.trimmingPrefix(" ").hasPrefix("```") }
            #expect(fences.count == 2 * document.blocks.count, "\(document) has a fence that is not read")
        }
    }

    @Test("README.md has at most 1,200 words without code")
    func length() throws {
        let words = try MarkdownDocument(path: "README.md").prose.flatMap { $0.text.split(separator: " ") }
        #expect((300...1200).contains(words.count), "\(words.count) words")
    }

    @Test("Each alert links to its section of Runbook.md")
    func runbook() throws {
        let page = try #require(try MarkdownDocument.page("Runbook.md"))
        let alerts = try Repository.text(of: "config/alerts.yaml")
        let names = alerts.matches(of: /- alert: (\w+)/).map { $0.1.lowercased() }
        let linked = alerts.matches(of: /runbook_url: https:\/\/\S+\/(\S+)#(\S+)/)
        #expect(names.count > 10 && linked.map { String($0.2) } == names)
        for link in linked { #expect(page.path.hasSuffix(link.1) && page.anchors.contains(String(link.2))) }
    }

    @Test("README.md names the image, archives and tag as the release workflow publishes them")
    func release() throws {
        let readme = try MarkdownDocument(path: "README.md").blocks.map(\.text).joined()
        let (workflow, script) = (
            try Repository.text(of: ".github/workflows/release.yml"),
            try Repository.text(of: ".github/release/package.sh")
        )
        #expect(workflow.contains("image=ghcr.io/${GITHUB_REPOSITORY,,}") && workflow.contains("{{version}}"))
        #expect(readme.contains(" ghcr.io/$REPOSITORY:$VERSION "))
        #expect(script.contains("name=presign-$version-linux-$(uname -m)\n"))
        #expect(readme.contains("NAME=presign-$VERSION-linux-$(uname -m)\n"))
        #expect(script.contains("\"$directory/$name.tar.gz\"") && workflow.contains("tags: [\"v*\"]"))
        #expect(readme.contains("/releases/download/v$VERSION/$NAME.tar.gz"))
        // Both are attested.
        #expect(workflow.contains("subject-path: dist/*.tar.gz") && workflow.contains("subject-digest: "))
        #expect(readme.components(separatedBy: "gh attestation verify ").count == 3)
    }

    @Test("Every diagram is of a kind that code hosts render")
    func diagrams() throws {
        let kinds = ["flowchart", "graph", "sequenceDiagram", "stateDiagram-v2"]
        for document in try Self.documents.get() {
            for block in document.blocks where block.language == "mermaid" {
                let kind = block.text.split(whereSeparator: \.isWhitespace).first.map(String.init)
                #expect(kinds.contains(kind ?? ""), "\(document):\(block.line)")
            }
        }
    }

    @Test("Design.md names functions that exist")
    func functions() throws {
        guard let page = try MarkdownDocument.page("Design.md") else { return }
        let folder = Repository.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var sources: [String] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            sources.append(try String(contentsOf: file, encoding: .utf8))
        }
        var found = 0
        for (line, text) in page.prose where text.prefixMatch(of: /[0-9]+\. `/) != nil {
            for match in text.matches(of: /`([A-Z][A-Za-z0-9]+)\.([a-z][A-Za-z]*)`/) {
                found += 1
                let (type, name) = ("\(match.output.1)", "\(match.output.2)")
                let declaration = name == "init" ? "init(" : "func \(name)("
                let exists = sources.contains { source in
                    source.contains(declaration)
                        && ["class", "struct", "enum", "extension"].contains { source.contains("\($0) \(type)") }
                }
                #expect(exists, "Design.md:\(line): \(type).\(name)")
            }
        }
        #expect(found >= 20)
    }
}
