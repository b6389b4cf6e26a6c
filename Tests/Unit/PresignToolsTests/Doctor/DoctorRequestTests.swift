import HTTPClient
import Presigning
import Testing

@testable import PresignTools

@Suite("Doctor's changes of signed requests")
struct DoctorRequestTests {
    private static func request(_ headers: [(name: String, value: String)] = []) throws -> DoctorRequest {
        let configuration = try DoctorFixture.configuration("  []")
        var session = try DoctorFixture.session(configuration) { _ throws(FetchFailure) in throw .unknownHost }
        return try session.signed(.putObject, .object, headers: headers)
    }

    @Test("Each changes one thing")
    func changes() throws {
        let request = try Self.request([("content-length", "3"), ("if-none-match", "*")])
        #expect(request.method == .put && request.headers.map(\.name) == ["if-none-match"])
        #expect(request.url.contains("/object?"))
        let other = request.redirected(to: .target)
        #expect(other.url == request.url.replacing("/object?", with: "/target?") && other.slot == .target)
        #expect(request.appending(parameter: "a=b").url == request.url + "&a=b")
        #expect(request.removing("if-none-match").headers.isEmpty)
        #expect(request.setting("if-none-match", "x").headers.map(\.value) == ["x"])
        #expect(request.sent(as: .head).method == .head && request.sent(as: .head).url == request.url)
        let changed = request.withChangedSignature().url
        #expect(changed != request.url && changed.dropLast() == request.url.dropLast())
        #expect(request.withoutSignature().url == String(request.url.prefix { $0 != "?" }))
    }
}
