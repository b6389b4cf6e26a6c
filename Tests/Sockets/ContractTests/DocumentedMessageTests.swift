import Requests
import TestSupport
import Testing

@testable import DataFormats
@testable import PresignService

/// Compares JSON in README.md and the guide with the decoder and with config/openapi.yaml.
@Suite struct DocumentedMessageTests {
    @Test("Every JSON block is valid; requests are accepted, and messages are as described")
    func json() throws {
        let openAPI = try OpenAPIDocument()
        let check = SchemaCheck(document: openAPI)
        for document in try MarkdownDocument.all {
            for block in document.blocks where block.notRun == nil && ["json", "jsonl"].contains(block.language) {
                for text in block.language == "json" ? [block.text[...]] : block.text.split(separator: "\n") {
                    let value = try? JSONValue(parsing: Array(text.utf8))
                    guard let value else {
                        Issue.record("\(document):\(block.line): invalid JSON: \(text)")
                        continue
                    }
                    guard block.language == "json", let name = Self.schema(of: value) else { continue }
                    let schema = try #require(openAPI.schema(name))
                    #expect(check.violations(of: value, schema) == [], "\(document):\(block.line): \(name)")
                    guard name == "PresignRequest" else { continue }
                    #expect(throws: Never.self, "\(document):\(block.line)") {
                        var request = try PresignRequest(json: Array(text.utf8)[...])
                        try request.selectOperation()
                    }
                }
            }
        }
    }

    /// The schema of a message, recognized by its members; nil for other JSON, such as a bucket's CORS rules.
    private static func schema(of value: JSONValue) -> String? {
        let has = { (name: String) in value[name] != nil }
        if has("url"), has("headers") { return "PresignResponse" }
        if has("actions") { return "PermissionsResponse" }
        if has("requests") { return "BatchRequest" }
        if has("results") { return "BatchResponse" }
        if has("status"), has("code") { return "Problem" }
        // A log line.
        if has("requestId") { return nil }
        return has("path") || has("key") ? "PresignRequest" : nil
    }

    @Test(
        "Errors.md has every problem code with its statuses, and no other",
        .enabled(if: DocumentedMessageTests.hasErrors))
    func codes() throws {
        let page = try #require(try MarkdownDocument.page("Errors.md"))
        let pairs =
            ContractCase.all.compactMap { contract in contract.code.map { ($0, contract.status) } }
            + [("credentials-unavailable", 503), ("issuer-keys-unavailable", 503)]
        for (code, status) in pairs {
            let isNamed = page.prose.contains { $0.text.contains("`\(code)`") && $0.text.contains("\(status)") }
            #expect(isNamed, "Errors.md has no line with `\(code)` and \(status)")
        }
        let known = Set(ProblemCode.allCases.map(\.text))
        for row in page.tableKeys where row.header == "code" {
            #expect(known.contains(row.key), "Errors.md:\(row.line): there is no code \(row.key)")
        }
    }

    private static var hasErrors: Bool { (try? MarkdownDocument.page("Errors.md")) != nil }
}
