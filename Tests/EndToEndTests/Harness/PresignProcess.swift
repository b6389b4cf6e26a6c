import Foundation
import TestSupport
import Testing

/// `presign serve`, running with one store and one API key.
struct PresignProcess: Sendable {
    static let binary = ProcessInfo.processInfo.environment["PRESIGN_BINARY"]

    /// The `host:port` that it reports to listen on.
    let address: String
    let apiKey: String
    let identifier: Int32
    /// Its configuration file, for commands that read the same one.
    let configuration: URL
    /// The files of its diagnostics and of its request log.
    let log: URL
    let requests: URL
    let environment: [String: String]

    /// Runs the body with a service, then stops it with SIGTERM and expects status 0.
    ///
    /// - Parameters:
    ///   - guests: Whether guests may read everything.
    ///   - page: Whether the upload page is served.
    ///   - server: Settings in addition to the address, in YAML's flow style: `timeouts: {header: 2s}`.
    ///   - auth: Authentication in addition to the API key, in YAML's flow style.
    ///   - rules: Rules in addition to the one for everything, in YAML's flow style.
    ///   - sections: Additional sections of the configuration, as lines of YAML.
    ///   - wrapper: A program and its first arguments, which executes the command appended to them with exec.
    static func serving<Value: Sendable>(
        store: [String: any Sendable], environment: [String: String], guests: Bool = false, page: Bool = false,
        server: String? = nil, auth: String? = nil, rules: [String] = [], sections: String = "", wrapper: [String] = [],
        _ body: (PresignProcess) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryDirectory { directory in
            let key = try await newKey()
            let configuration = directory.appending(path: "presign.yaml")
            let text = try yaml(
                store: store, hash: key.hash, guests: guests, page: page, server: server, auth: auth, rules: rules)
            try Data((text + sections + "\n").utf8).write(to: configuration)
            let (log, requests) = (directory.appending(path: "log"), directory.appending(path: "requests"))
            let command = wrapper + [try #require(binary), "serve", "--config", configuration.path()]
            let (process, exit) = try Command.start(
                command[0], Array(command.dropFirst()), environment: environment,
                output: requests, errors: log)
            let outcome: Result<Value, any Error>
            do {
                let service = PresignProcess(
                    address: try await listening(process, log), apiKey: key.key,
                    identifier: process.processIdentifier, configuration: configuration, log: log,
                    requests: requests, environment: environment)
                outcome = .success(try await body(service))
            } catch {
                outcome = .failure(error)
            }
            if process.isRunning { process.terminate() }
            let status = await exit.first { _ in true }
            #expect(status == 0, "presign serve ended badly: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
            return try outcome.get()
        }
    }

    /// Runs another presign command with the service's environment.
    func run(_ arguments: [String]) async throws -> Command.Result {
        try await Command.run(try #require(Self.binary), arguments, environment: environment)
    }

    struct DidNotListen: Error {
        let log: String

        init(at log: URL) throws { self.log = try String(contentsOf: log, encoding: .utf8) }
    }

    private static func newKey() async throws -> (key: String, hash: String) {
        let result = try await Command.run(try #require(binary), ["key", "new", "tester"])
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(result.status == 0 && lines.count == 2, "presign key new: \(result.errors)")
        return (lines[0], lines[1])
    }

    /// JSON is valid YAML, which avoids quoting by hand.
    private static func yaml(
        store: [String: any Sendable], hash: String, guests: Bool, page: Bool, server: String?, auth: String?,
        rules: [String]
    ) throws -> String {
        let stores = try JSONSerialization.data(withJSONObject: store, options: [.withoutEscapingSlashes, .sortedKeys])
        return """
            version: 1
            server: {listen: ["127.0.0.1:0"]\(server.map { ", " + $0 } ?? "")}
            page: \(page)
            stores:
              main: \(String(decoding: stores, as: UTF8.self).replacing("\"true\"", with: "true"))
            auth: {guest: \(guests), apiKeys: [{id: tester, hashes: ["\(hash)"]}]\(auth.map { ", " + $0 } ?? "")}
            rules:
              - {path: "**", allow: {\(guests ? "guest: [read], " : "")authenticated: [read, write, delete, multipart]}}
            \(rules.map { "  - \($0)\n" }.joined())
            """
    }

    private static func listening(_ process: Process, _ log: URL) async throws -> String {
        struct Event: Decodable { let event: String?, address: String? }
        let address = try await found(within: .seconds(60)) {
            guard process.isRunning else { throw try DidNotListen(at: log) }
            return try Data(contentsOf: log).split(separator: 0x0a).compactMap {
                try? JSONDecoder().decode(Event.self, from: $0)
            }.first { $0.event == "listening" }?.address
        }
        guard let address else { throw try DidNotListen(at: log) }
        return address
    }
}
