import Testing

@testable import Requests

@Suite("Limits of the failures that a rejection lists")
struct FieldFailureTests {
    @Test("A rejection lists at most 16 members, so that it cannot be much larger than the request")
    func manyMistakes() throws {
        let body = "{" + (0..<1000).map { "\"unknown\($0)\":1" }.joined(separator: ",") + "}"
        #expect {
            _ = try PresignRequest(json: Array(body.utf8)[...])
        } throws: {
            ($0 as? InvalidRequest)?.errors.count == 16
        }
    }

    @Test(
        "A link whose path is too long however it decodes is refused before it is decoded",
        arguments: [(3072, "must be percent-encoded UTF-8"), (3073, "the path is longer than 1024 bytes in UTF-8")])
    func longLink(count: Int, detail: String) {
        let path = Array(String(repeating: "a", count: count - 1).utf8) + [UInt8(ascii: "%")]
        let problem = #expect(throws: InvalidRequest.self) {
            _ = try PresignRequest(link: path[...], query: nil)
        }
        #expect(problem?.errors == [FieldFailure("path", detail)])
    }

    @Test("Only the first three unknown fields get a suggestion, because each search costs time")
    func manySuggestions() {
        let body = "{" + (0..<5).map { "\"expiresin\($0)\":1" }.joined(separator: ",") + "}"
        let problem = #expect(throws: InvalidRequest.self) { _ = try PresignRequest(json: Array(body.utf8)[...]) }
        let suggesting = problem?.errors.map { $0.detail.contains("`expiresIn`") }
        #expect(suggesting == [true, true, true, false, false, false])
    }
}
