import Testing

@testable import PresignService

/// The labels of metrics against the description. That this names every code and status of the sources has its own test.
@Suite struct MetricLabelTests {
    @Test("every documented code and status has a counter of its own, and nothing else has")
    func places() throws {
        let document = try OpenAPIDocument()
        let codes = document.schema("Problem")?["properties"]?["code"]?["enum"]?.entries.compactMap(\.text) ?? []
        #expect(Set(codes) == Set(RefusalPlace.codes) && codes.count == RefusalPlace.codes.count)
        let statuses = document.operations.reduce(into: Set<Int>()) { $0.formUnion(document.statuses(of: $1)) }
        #expect(statuses == Set(StatusPlace.codes))
    }
}
