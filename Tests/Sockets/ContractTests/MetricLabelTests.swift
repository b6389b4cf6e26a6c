import Testing

@testable import PresignService

/// The labels of metrics against the description. That this names every code and status of the sources has its own test.
@Suite struct MetricLabelTests {
    @Test("every documented code has a counter of its own, and no other code has")
    func codes() throws {
        let document = try OpenAPIDocument()
        let codes = document.schema("Problem")?["properties"]?["code"]?["enum"]?.entries.compactMap(\.text) ?? []
        #expect(codes == ProblemCode.allCases.map(\.text))
    }
}
