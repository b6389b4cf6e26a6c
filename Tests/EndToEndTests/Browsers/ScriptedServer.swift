import Foundation
import HTTP1
import HTTPServer
import Synchronization
import Testing
import UploadPage

/// Another site: a page that imports presign.js, and a service and a storage with scripted responses that real servers
/// do not give on demand.
final class ScriptedServer: Sendable {
    /// One response. When none is left, the request is granted.
    struct Response: Sendable {
        var status: Int
        /// The code in S3's XML error.
        var code: String?
        var retryAfter: Int?
        /// The body of a response without a code.
        var body: String?
        /// Whether the request is granted, as without a script.
        var isGranted = false

        static let granted = Response(status: 200, isGranted: true)
    }

    private struct State {
        var responses: [String: [Response]] = [:]
        var page: String
        var scripts: [String: String]
        var requests: [String] = []
    }

    private let server: HTTPServer
    private let state: Script
    let port: Int

    /// Runs the body with a server that uses its responses to each method one by one.
    ///
    /// - Parameters:
    ///   - port: The port on 127.0.0.1; 0 for a free one.
    ///   - page: The page at `/`; by default one that makes `Presign` global.
    ///   - scripts: Further scripts, by path.
    static func run(
        port: UInt16 = 0, responses: [String: [Response]] = [:],
        page: String = "<!doctype html><title>site</title><script type=module src=site.js></script>",
        scripts: [String: String] = [:],
        _ body: (ScriptedServer) async throws -> Void
    ) async throws {
        let server = try ScriptedServer(port, responses, page, scripts)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(server))
        } catch {
            outcome = .failure(error)
        }
        server.server.shutdown()
        server.server.wait()
        try outcome.get()
    }

    /// The methods of the requests to the service and the storage, in order of arrival.
    var requests: [String] { state.value.withLock { $0.requests } }

    private init(
        _ port: UInt16, _ responses: [String: [Response]], _ page: String, _ scripts: [String: String]
    ) throws {
        let state = Script(State(responses: responses, page: page, scripts: scripts))
        let configuration = HTTPServerConfiguration(listen: [try ListenAddress.parse("127.0.0.1:\(port)")])
        server = HTTPServer(configuration: configuration) { _ in Handler(state) }
        try server.start()
        guard case .tcp(_, let port) = try #require(server.boundAddresses.first) else { throw NoPort() }
        self.port = Int(port)
        self.state = state
    }

    private struct NoPort: Error {}

    private final class Script: Sendable {
        let value: Mutex<State>
        init(_ state: State) { value = Mutex(state) }
    }

    private final class Handler: HTTPHandler {
        private let state: Script

        init(_ state: Script) { self.state = state }

        func body(for head: HTTPRequest) -> HTTPBodyDecision { .read(limit: 1 << 20, Responder(state)) }

        func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
            HTTPResponse(status: failure.status)
        }
    }

    private final class Responder: HTTPResponder {
        private let state: Script

        init(_ state: Script) { self.state = state }

        func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
            switch (request.method, String(decoding: request.path, as: UTF8.self)) {
            case (.post, _): scripted("POST") ?? granted(request)
            case (.put, _): scripted("PUT") ?? HTTPResponse(status: 200)
            case (.head, _): scripted("HEAD", from: "OBJECT") ?? HTTPResponse(status: 404)
            case (_, "/"): file("text/html", state.value.withLock { $0.page })
            case (_, "/site.js"):
                file("text/javascript", "import { Presign } from './presign.js'; window.Presign = Presign;")
            case (.get, "/permissions"):
                file(
                    "application/json",
                    #"{"caller":{"scheme":"guest"},"actions":{"get":{},"write":{},"multipart":{}}}"#)
            case (.get, "/object"): scripted("GET", from: "OBJECT") ?? HTTPResponse(status: 404)
            // Browsers request it on their own; an empty response keeps the console clean.
            case (_, "/favicon.ico"): HTTPResponse(status: 204)
            case (_, let path):
                (state.value.withLock { $0.scripts[path] }.map { Array($0.utf8) } ?? LibraryFiles.content(at: path))
                    .map { file("text/javascript", bytes: $0) } ?? HTTPResponse(status: 404)
            }
        }

        func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
            HTTPResponse(status: failure.status)
        }

        private func scripted(_ method: String, from list: String? = nil) -> HTTPResponse? {
            let scripted = state.value.withLock { state -> Response? in
                state.requests.append(method)
                guard state.responses[list ?? method]?.isEmpty == false else { return nil }
                return state.responses[list ?? method]?.removeFirst()
            }
            guard let scripted, !scripted.isGranted else { return nil }
            let xml = scripted.code.map {
                "<?xml version=\"1.0\"?>\n<Error><Code>\($0)</Code><Message>So &amp; so</Message></Error>"
            }
            var response = HTTPResponse(status: scripted.status, body: Array((xml ?? scripted.body ?? "").utf8))
            if let seconds = scripted.retryAfter { response.add("retry-after", "\(seconds)") }
            return response
        }

        private func granted(_ request: HTTPRequest) -> HTTPResponse {
            let fields = String(decoding: request.body, as: UTF8.self)
            let isConditional = fields.contains("ifNoneMatch")
            let method = ["HEAD", "GET"].first { fields.contains("\"method\":\"\($0)\"") } ?? "PUT"
            let headers = isConditional ? "{\"if-none-match\":\"*\"}" : "{}"
            let url = "http://\(String(decoding: request.headers.first(.host) ?? [], as: UTF8.self))/object"
            return file(
                "application/json",
                "{\"url\":\"\(url)\",\"method\":\"\(method)\",\"headers\":\(headers),\"key\":\"a\",\"bucket\":\"b\",\"expiresIn\":60}"
            )
        }

        private func file(_ contentType: String, _ text: String = "", bytes: [UInt8]? = nil) -> HTTPResponse {
            var response = HTTPResponse(status: 200, body: bytes ?? Array(text.utf8))
            response.add("content-type", contentType)
            return response
        }
    }
}
