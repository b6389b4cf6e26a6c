import TestSupport
import Testing

@testable import DataFormats
@testable import PresignService

@Suite("Configurations in documents")
struct DocumentedConfigurationTests {
    @Test("Each is accepted, with stores added where it has none")
    func accepted() throws {
        var found = 0
        for document in try MarkdownDocument.all {
            for block in document.blocks where block.language == "yaml" && isConfiguration(block) {
                found += 1
                #expect(throws: Never.self, "\(document):\(block.line)") {
                    _ = try ServiceConfiguration(parsing: Array(completed(block.text).utf8), file: document.path)
                }
            }
        }
        #expect(found >= 4)
    }

    /// Whether the block is a part of the service's configuration. A marked block may be another program's file.
    private func isConfiguration(_ block: MarkdownBlock) -> Bool {
        guard block.notRun != nil else { return true }
        let root = try? YAMLReader.read(Array(block.text.utf8), file: "")
        guard case .mapping(let members)? = root?.content else { return false }
        let names = members.map(\.key)
        // Prometheus' rule files have `groups` too.
        return names != ["groups"] && Set(names).isSubset(of: Self.sections)
    }

    private static let sections: Set<String> = [
        "version", "server", "aws", "stores", "local", "expires", "existence", "auth", "limits", "cors", "page", "log",
        "presets", "groups", "rules", "deny", "audit", "metrics",
    ]

    private func completed(_ text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n")
        let names = text.split(separator: "\n").compactMap { $0.prefixMatch(of: /([a-z]+):/)?.output.1 }
        if !names.contains("stores") {
            lines = """
                stores:
                  media: {bucket: acme-media, region: eu-west-1, default: true}
                  archive: {bucket: acme-archive, region: eu-west-1}

                """ + lines
        }
        return names.contains("version") ? lines : "version: 1\n" + lines
    }
}
