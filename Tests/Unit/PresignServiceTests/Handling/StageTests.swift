import ObjectExistence
import SocketTestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning

/// Each stage refuses what it is responsible for, whatever the stages after it would refuse.
@Suite("Stages of a request")
struct StageTests {
    private typealias Key = SampleConfiguration.Key

    /// A request that passes all stages before one of them and would be refused by the stages after it.
    struct Stage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var target = "POST /presign"
        var key: String? = Key.web
        var type = "application/json"
        let body: String
        /// Whether the caller has used up its rate.
        var isAboveLimit = false
        let status: Int
        let code: String
        /// The fields of the problem.
        var pointers: [String] = []

        var request: String {
            presignRequest(body, key: key, type: type).replacing(
                "POST /presign ", with: "\(target) ", maxReplacements: 1)
        }
    }

    private static let refused = #"{"path":"inbox/a","method":"PUT","contentType":"text/plain","contentLength":5000}"#

    static let stages = [
        Stage(
            testDescription: "route", target: "PATCH /nowhere", key: Key.wrongSecret, type: "text/plain", body: "{",
            status: 404, code: "no-such-route"),
        Stage(
            testDescription: "method", target: "PATCH /presign", key: Key.wrongSecret, type: "text/plain", body: "{",
            status: 405, code: "method-not-allowed"),
        Stage(
            testDescription: "authentication", key: Key.wrongSecret, type: "text/plain", body: "{", isAboveLimit: true,
            status: 401, code: "credentials-invalid"),
        Stage(
            testDescription: "rate limit", type: "text/plain", body: "{", isAboveLimit: true, status: 429,
            code: "rate-limited"),
        Stage(
            testDescription: "media type", type: "text/plain", body: "{", status: 415, code: "unsupported-media-type"),
        Stage(testDescription: "format", body: "{", status: 400, code: "validation", pointers: ["#"]),
        Stage(
            testDescription: "fields", body: #"{"path":"elsewhere/../a","method":"PUT","maxKeys":1,"expiresin":1}"#,
            status: 400, code: "validation", pointers: ["#/expiresin", "#/maxKeys"]),
        Stage(
            testDescription: "combination of fields", body: #"{"path":"elsewhere/../a","method":"PUT","maxKeys":1}"#,
            status: 400, code: "validation", pointers: ["#/maxKeys"]),
        Stage(
            testDescription: "path", body: #"{"path":"elsewhere/../a","method":"PUT","expiresIn":604800}"#, status: 400,
            code: "validation", pointers: ["#/path"]),
        Stage(
            testDescription: "rule",
            body: #"{"path":"elsewhere/a","expiresIn":604800,"validateObjectExistence":true}"#, status: 403,
            code: "forbidden"),
        Stage(
            testDescription: "limits of the rule",
            body: #"{"path":"public/a","expiresIn":604800,"validateObjectExistence":true}"#, status: 422,
            code: "constraint", pointers: ["#/expiresIn"]),
        Stage(
            testDescription: "existence", body: #"{"path":"public/a","validateObjectExistence":true}"#, status: 404,
            code: "key-not-found"),
    ]

    private static func service(isAboveLimit: Bool) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.quotas = "{perCaller: {rate: 1/h, burst: 1}}"
        let service = try TestService(configuration.yaml, storage: [.status(404)])
        if isAboveLimit { #expect(try service.post("/presign", #"{"path":"public/a"}"#).status == 200) }
        return service
    }

    @Test("Each stage refuses first what it is responsible for", arguments: stages)
    func refuses(stage: Stage) throws {
        let service = try Self.service(isAboveLimit: stage.isAboveLimit)
        let exchange = try service.send(stage.request)
        let problem = try exchange.response.problem()
        #expect(exchange.status == stage.status && problem.code == stage.code, "\(exchange.response.text)")
        #expect(problem.pointers == stage.pointers, "\(exchange.response.text)")
        #expect(exchange.log?.status == stage.status)
    }

    @Test("What no stage refuses is signed, and a batch item passes the same stages after authentication")
    func passes() throws {
        try verified(try Self.service(isAboveLimit: false).exchange(presignRequest(#"{"path":"public/a"}"#)))
        let items = Self.stages.filter { $0.target == "POST /presign" && $0.key == Key.web && $0.body != "{" }
        for stage in items {
            let service = try Self.service(isAboveLimit: false)
            let batch = try service.exchange(batchRequest([stage.body, #"{"path":"public/a"}"#])).batch()
            // The first item uses up the rate.
            #expect(batch.statuses == [stage.status, 429], "\(stage)")
            #expect(batch.problems.first?.code == stage.code && batch.problems.first?.pointers == stage.pointers)
        }
        #expect(items.count >= 6)
    }
}
