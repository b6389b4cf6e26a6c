import Foundation
import Testing

@Suite(
    "libcurl is loaded by the first existence check",
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct LoadingTests {
    struct ProblemDetails: Decodable { let status: Int, code: String, detail: String }

    /// Nobody listens there: a check fails, once libcurl has tried.
    private static let store = [
        "bucket": "b", "region": "us-east-1", "endpoint": "http://127.0.0.1:1", "addressing": "path", "default": "true",
        "credentials": "environment",
    ]
    private static let credentials = ["AWS_ACCESS_KEY_ID": "AKIAEXAMPLE", "AWS_SECRET_ACCESS_KEY": "example"]

    @Test("A service that never checked has neither it nor what comes with it; a check loads it")
    func loading() async throws {
        try await withTemporaryDirectory { folder in
            // The loader of glibc writes what it loads into this file, with the process's number behind its name.
            let trace = folder.appending(path: "trace")
            let debug = ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": trace.path()]
            try await serving(debug) { service in
                let file = trace.path() + ".\(service.identifier)"
                try #require(try await ask(service, check: false).status == 200)
                let before = try String(contentsOfFile: file, encoding: .utf8)
                #expect(before.contains("calling init: ") && !before.contains("libcurl"))
                #expect(try await ask(service, check: true).status == 502)
                let after = try String(contentsOfFile: file, encoding: .utf8)
                #expect(after.contains(/calling init: [^\n]*libcurl/))
            }
        }
    }

    @Test("Without a usable libcurl everything works but the check, which is a 502 that says so, each time")
    func missing() async throws {
        try await withTemporaryDirectory { folder in
            // The loader takes the first file of that name, and an empty one is no library.
            try Data().write(to: folder.appending(path: "libcurl.so.4"))
            try await serving(["LD_LIBRARY_PATH": folder.path()]) { service in
                for _ in 0..<3 {
                    #expect(try await ask(service, check: false).status == 200)
                    let answer = try await ask(service, check: true)
                    let problem = try JSONDecoder().decode(ProblemDetails.self, from: answer.body)
                    #expect(problem.status == 502 && problem.code == "storage-unreachable")
                    #expect(problem.detail.contains("libcurl could not be loaded: "), "\(problem.detail)")
                }
            }
        }
    }

    private func serving(
        _ environment: [String: String], _ body: (PresignProcess) async throws -> Void
    ) async throws {
        try await Turnstile.tests.pass {
            try await PresignProcess.serving(
                store: Self.store, environment: Self.credentials.merging(environment) { given, _ in given }, body)
        }
    }

    private func ask(_ service: PresignProcess, check: Bool) async throws -> Curl.Answer {
        try await Curl.send(
            "POST", "http://\(service.address)/presign",
            headers: ["Authorization": "Bearer \(service.apiKey)", "Content-Type": "application/json"],
            body: try JSONSerialization.data(withJSONObject: ["path": "a", "validateObjectExistence": check]))
    }
}
