import TestSupport
import Testing

@testable import PresignService

@Suite("Configurations in documents")
struct DocumentedConfigurationTests {
    @Test("Each is accepted, with a store added where it has none", arguments: [("README.md", 4)])
    func accepted(document: String, atLeast: Int) throws {
        let blocks = MarkdownBlock.all(in: try Repository.text(of: document)).filter { $0.language == "yaml" }
        #expect(blocks.count >= atLeast)
        for block in blocks {
            let store = "stores: {media: {bucket: acme-media, region: eu-west-1}}\n"
            let lines = "version: 1\n" + (block.text.contains("stores:") ? "" : store) + block.text
            #expect(throws: Never.self, "\(document):\(block.line)") {
                _ = try ServiceConfiguration(parsing: Array(lines.utf8), file: document)
            }
        }
    }
}
