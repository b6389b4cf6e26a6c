import Foundation
import TestSupport
import Testing

/// `presign serve --local` with the rules for the page's tests.
struct LocalService: Sendable {
    /// `http://host:port`.
    let origin: String
    let key: String
    /// The file with its request log.
    let requests: URL
    /// The file with its diagnostics.
    let log: URL

    /// The headers of a user that a proxy has signed in.
    static func headers(ofUser name: String) -> [String: String] {
        ["X-Proxy-Secret": proxySecret, "X-Auth-User": name]
    }

    private static let proxySecret = String(repeating: "s", count: 32)

    /// Runs the body with a service, then stops it with SIGTERM and expects status 0.
    ///
    /// - Parameters:
    ///   - hosts: Names besides 127.0.0.1 under which browsers open its page.
    ///   - origins: The origins of other pages that may use it.
    ///   - guests: Whether guests may do what callers with the key may do.
    ///   - proxy: Whether a proxy may sign users in.
    ///   - listing: Whether the store lists.
    ///   - rules: The access rules; nil for those of most tests.
    ///   - page: The section `page` of the configuration.
    ///   - issuers: The section `auth.jwt`.
    ///   - port: The port at which browsers reach it; nil for any, or for one that they can name with `hosts`.
    static func run(
        hosts: [String] = [], origins: [String] = [], guests: Bool = false, proxy: Bool = true, listing: Bool = true,
        rules: String? = nil, page: String = "page: true", issuers: String = "[]", port: UInt16? = nil,
        _ body: (LocalService) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let binary = try #require(PresignProcess.binary)
            let made = try await Command.run(binary, ["key", "new", "tester"]).output.split(separator: "\n")
            try #require(made.count == 2)
            let configuration = directory.appending(path: "presign.yaml")
            let secret = directory.appending(path: "secret")
            try Data(proxySecret.utf8).write(to: secret)
            let port = try port ?? (hosts.isEmpty ? 0 : FreePort.next())
            let text = yaml(
                port: port, hash: String(made[1]), secret: proxy ? secret.path() : nil,
                origins: hosts.map { "http://\($0):\(port)" } + origins, guests: guests, listing: listing,
                rules: rules, page: page, issuers: issuers)
            try Data(text.utf8).write(to: configuration)
            let (log, requests) = (directory.appending(path: "log"), directory.appending(path: "output"))
            let (process, exit) = try Command.start(
                binary,
                [
                    "serve", "--config", configuration.path(), "--local", directory.appending(path: "objects").path(),
                    "--local-listen", "127.0.0.1:0",
                ], environment: [:], output: requests, errors: log)
            let outcome: Result<Void, any Error>
            do {
                let origin = "http://\(try await address(process, log))"
                let service = LocalService(origin: origin, key: String(made[0]), requests: requests, log: log)
                outcome = .success(try await body(service))
            } catch {
                outcome = .failure(error)
            }
            if process.isRunning { process.terminate() }
            let status = await exit.first { _ in true }
            #expect(status == 0, "presign serve ended badly: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
            try outcome.get()
        }
    }

    /// The address of the service. Its storage, whose log line is similar, starts first.
    private static func address(_ process: Process, _ log: URL) async throws -> String {
        struct Event: Decodable { let event: String?, address: String? }
        let address = try await found {
            guard process.isRunning else { throw try PresignProcess.DidNotListen(at: log) }
            return try Data(contentsOf: log).split(separator: 0x0a).compactMap {
                try? JSONDecoder().decode(Event.self, from: $0)
            }.first { $0.event == "listening" }?.address
        }
        guard let address else { throw try PresignProcess.DidNotListen(at: log) }
        return address
    }

    private static func yaml(
        port: UInt16, hash: String, secret: String?, origins: [String], guests: Bool, listing: Bool, rules: String?,
        page: String, issuers: String
    ) -> String {
        """
        version: 1
        server: {listen: ["127.0.0.1:\(port)"]}
        stores:
          main: {bucket: local, region: us-east-1, listing: \(listing)}
        auth:
          guest: \(guests)
          apiKeys: [{id: tester, identity: tester, hashes: ["\(hash)"]}]
          jwt: \(issuers)
        \(secret.map(proxy(secret:)) ?? "")
        cors: {origins: [\(origins.map { "\"\($0)\"" }.joined(separator: ", "))]}
        \(page)
        rules:
        \(rules ?? standardRules(for: guests ? "everyone" : "authenticated"))
        """
    }

    private static func proxy(secret: String) -> String {
        """
          proxy:
            from: [127.0.0.1/32]
            secretHeader: X-Proxy-Secret
            secretFile: \(secret)
            identity: X-Auth-User
        """
    }

    private static func standardRules(for caller: String) -> String {
        """
          - {path: "**", allow: {\(caller): [read, write, delete, multipart]}}
          - {path: images/**, allow: {\(caller): [read, write]}, write: {types: ["image/*"], maxSize: 100k}}
          - {path: sums/**, allow: {\(caller): [read, write]}, write: {checksum: sha256}}
          - {path: short/**, allow: {\(caller): [read, write]}, expires: {default: 1s, max: 1s}}
          - {path: parts/**, allow: {\(caller): [read, write, delete, multipart]}}
          - path: bounded/**
            allow: {\(caller): [read, write, delete, multipart]}
            write: {types: ["image/*"], maxSize: 30m}
            multipart: {partSize: 5m}
          - {path: plain/**, allow: {\(caller): [read, write]}, read: {overrides: none}}
          - {path: closed/**, allow: {\(caller): [list]}}

        """
    }
}
