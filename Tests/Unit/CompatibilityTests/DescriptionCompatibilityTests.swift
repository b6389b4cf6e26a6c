import TestSupport
import Testing

@Suite("The description of an earlier version", .disabled(if: KeptFile.isRefreshing))
struct DescriptionCompatibilityTests {
    private static let file = KeptFile("openapi.yaml")

    @Test("What it describes is still there: paths, methods, members, responses and codes")
    func description() throws {
        let current = try DescriptionNode(parsing: try Repository.bytes(of: "config/openapi.yaml"))
        let comparison = DescriptionComparison(of: current, with: try DescriptionNode(parsing: try Self.file.bytes))
        #expect(comparison.breaks == [])
    }

    /// A text in the description, what replaces it, and a part of what is found; nil if nothing breaks.
    private static let changes: [(text: String, replacement: String, found: String?)] = [
        ("\n  /presign/batch:\n", "\n  /presign/many:\n", "post /presign/batch is gone"),
        (
            "    options:\n      operationId: presignPreflight\n", "    trace:\n      operationId: a\n",
            "options /presign is gone"
        ),
        ("\n        \"422\": {$ref", "\n        \"423\": {$ref", "422 is gone"),
        ("key-not-found", "not-found", "the value key-not-found is gone"),
        ("required: [requests]", "required: [requests, name]", "name is required"),
        ("required: [store, caller, roots]", "required: [store, caller]", "roots is not required"),
        ("          text/plain:\n", "          text/csv:\n", "text/plain is gone"),
        ("\n        expiresAt: {type: string", "\n        expiresAt: {type: integer", "expiresAt: the type differs"),
        ("\n        limitedBy:", "\n        cutBy:", "limitedBy is gone"),
        ("enum: [validation,", "enum: [validation, brand-new,", nil),
        ("\npaths:\n", "\npaths:\n  /new:\n    get: {responses: {\"200\": {description: a}}}\n", nil),
    ]

    @Test("A change that breaks clients is found, and an addition is allowed", arguments: changes)
    func comparison(text: String, replacement: String, found: String?) throws {
        let current = try Repository.text(of: "config/openapi.yaml")
        try #require(current.contains(text), "\(text)")
        let changed = current.replacing(text, with: replacement)
        let comparison = DescriptionComparison(
            of: try DescriptionNode(parsing: Array(changed.utf8)),
            with: try DescriptionNode(parsing: Array(current.utf8)))
        guard let found else { return #expect(comparison.breaks == []) }
        #expect(comparison.breaks.contains { $0.contains(found) }, "\(comparison.breaks)")
    }
}
