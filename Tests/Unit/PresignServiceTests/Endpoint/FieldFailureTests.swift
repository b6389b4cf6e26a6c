import Testing

@testable import PresignService

@Suite("Limits of the failures that a rejection lists")
struct FieldFailureTests {
    @Test("A rejection lists at most 16 members, so that it cannot be much larger than the request")
    func manyMistakes() throws {
        let body = "{" + (0..<1000).map { "\"unknown\($0)\":1" }.joined(separator: ",") + "}"
        #expect {
            _ = try PresignFields(json: Array(body.utf8)[...])
        } throws: {
            ($0 as? Problem)?.errors.count == 16
        }
    }

    @Test("Only the first three unknown fields get a suggestion, because each search costs time")
    func manySuggestions() {
        let body = "{" + (0..<5).map { "\"expiresin\($0)\":1" }.joined(separator: ",") + "}"
        let problem = #expect(throws: Problem.self) { _ = try PresignFields(json: Array(body.utf8)[...]) }
        let suggesting = problem?.errors.map { $0.detail.contains("`expiresIn`") }
        #expect(suggesting == [true, true, true, false, false, false])
    }
}
