import Foundation
import SocketTestSupport
import Synchronization
import Testing

/// The responses to a client that sends requests continuously.
struct ClientTally: CustomStringConvertible {
    var granted = 0, broken = 0, refused = 0, wrong = 0

    mutating func add(_ other: ClientTally) {
        granted += other.granted
        broken += other.broken
        refused += other.refused
        wrong += other.wrong
    }

    var description: String { "\(granted) granted, \(broken) broken, \(refused) refused, \(wrong) wrong" }

    /// The number of URLs that all clients have got.
    final class Progress: Sendable {
        let granted = Atomic(0)
    }

    static func collect(
        from service: Activated, _ progress: Progress, until isOver: () throws -> Bool
    ) async throws -> ClientTally {
        var tally = ClientTally()
        // Cancelled if the test has failed, and then it is never over.
        while try !isOver(), !Task.isCancelled {
            guard let client = try? service.ask() else {
                tally.refused += 1
                continue
            }
            do {
                // Closed without a byte: the process was killed while serving it.
                switch try client.response() {
                case nil: tally.broken += 1
                case let response? where response.status == 200 && response.text.contains("X-Amz-Signature="):
                    tally.granted += 1
                    progress.granted.add(1, ordering: .relaxed)
                default: tally.wrong += 1
                }
            } catch {
                tally.broken += 1
            }
            await Task.yield()
        }
        return tally
    }
}

/// The service, started by a process that holds its socket and restarts it whenever it ends.
struct Activated: Sendable {
    private let activator: BackgroundProgram
    /// The port, or the path of the Unix socket.
    private let place: String

    /// - Parameter server: Additional settings in YAML's flow style.
    static func serving(
        at address: String = "0", server: String = "timeouts: {}", _ body: (Activated) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let configuration = folder.appending(path: "presign.yaml")
            let text = """
                version: 1
                server: {listen: ["127.0.0.1:1"], \(server)}
                stores: {main: {bucket: b, region: us-east-1, credentials: environment}}
                auth: {guest: true}
                log: {requests: false}
                rules: [{path: "**", allow: {everyone: [read]}}]
                """
            try Data(text.utf8).write(to: configuration)
            let arguments = [
                Python.script("activator"), address, try #require(PresignProcess.binary), "serve", "--config",
                configuration.path(),
            ]
            _ = try await BackgroundProgram.run(
                "/usr/bin/env", ["python3"] + arguments,
                environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "x"], awaited: false
            ) { activator in
                try await Loads.Chaos.settles("the service is started") {
                    try activator.printed.contains(">READY=1")
                }
                let place = try #require(activator.printed.firstMatch(of: /listening (.+)/)).1
                let service = Activated(activator: activator, place: String(place))
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await body(service)) } catch { outcome = .failure(error) }
                // Before its main function the signal would end the process.
                try await Loads.Chaos.settles("the last start") { try service.isReady }
                kill(activator.process.processIdentifier, SIGTERM)
                let end = try await activator.ended()
                #expect(end.status == 0 && end.output.hasSuffix("ended 0\n"), "\(end)")
                try outcome.get()
            }
        }
    }

    private var lines: [Substring] { get throws { try activator.printed.split(separator: "\n") } }

    /// The number of starts.
    var starts: Int { get throws { try lines.count { $0.hasPrefix("started ") } } }

    /// Whether the last started process has reported that it is ready.
    var isReady: Bool {
        get throws {
            let lines = try lines
            return lines.lastIndex { $0 == ">READY=1" } ?? -1 > lines.lastIndex { $0.hasPrefix("started ") } ?? -1
        }
    }

    /// The last started process.
    var process: Int32 {
        get throws {
            let line = try #require(lines.last { $0.hasPrefix("started ") })
            return try #require(Int32(line.dropFirst("started ".count)))
        }
    }

    /// The notifications to the service manager.
    var notices: [Substring] { get throws { try lines.filter { $0.hasPrefix(">") }.map { $0.dropFirst() } } }

    func url(_ path: String) -> String { "http://127.0.0.1:\(place)\(path)" }

    /// Shuts down the listening socket, which stays open.
    func endListening() { kill(activator.process.processIdentifier, SIGUSR1) }

    static func request(closes: Bool = false) -> String {
        let body = #"{"path":"images/cat.jpg"}"#
        return """
            POST /presign HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r
            Content-Length: \(body.utf8.count)\r\n\(closes ? "Connection: close\r\n" : "")\r\n\(body)
            """
    }

    /// Sends one request.
    func ask(closes: Bool = true) throws -> RawClient {
        let client = try UInt16(place).map { try RawClient(port: $0) } ?? RawClient(path: place)
        client.send(Self.request(closes: closes))
        return client
    }
}
