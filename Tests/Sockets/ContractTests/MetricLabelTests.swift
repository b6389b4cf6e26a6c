import Testing

@testable import PresignService

/// Compares the labels of metrics with the document. Another test checks that the document names every code and status.
@Suite struct MetricLabelTests {
    @Test("Every documented code has a counter, and no other code has one")
    func codes() throws {
        let document = try OpenAPIDocument()
        let codes = document.schema("Problem")?["properties"]?["code"]?["enum"]?.entries.compactMap(\.text) ?? []
        #expect(codes == ProblemCode.allCases.map(\.text))
    }
}
