import Foundation
import Testing

/// `presign serve --local`, running on free ports with its files in a folder of the caller's.
struct LocalProcess: Sendable {
    /// `host:port` of the service, and of the storage.
    let service: String
    let storage: String
    let identifier: Int32
    /// What it printed when it began.
    let banner: String
    private let process: Process
    private let exit: AsyncStream<Int32>

    /// The arguments that keep two of them apart.
    static let freePorts = ["--listen", "127.0.0.1:0", "--local-listen", "127.0.0.1:0"]

    /// Starts it and waits until both listen.
    ///
    /// - Parameters:
    ///   - folder: for its files (`data`) and its output.
    ///   - program: what to run; the built command, serving that folder, when nil.
    static func start(in folder: URL, program: (String, [String], [String: String])? = nil) async throws -> Self {
        let (output, errors) = (folder.appending(path: "output"), folder.appending(path: "errors"))
        let local = ["serve", "--local", folder.appending(path: "data").path()] + freePorts
        let (path, arguments, environment) = try program ?? (#require(PresignProcess.binary), local, [:])
        let (process, exit) = try Command.start(
            path, arguments, environment: environment, output: output, errors: errors)
        do {
            let addresses = try await listening(process, errors)
            return Self(
                service: addresses.service, storage: addresses.storage, identifier: process.processIdentifier,
                banner: try await banner(output, directory: "data"), process: process, exit: exit)
        } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
    }

    /// Ends it by the signal and waits for that; its exit status, or the signal's number plus 128.
    func end(_ signal: Int32) async -> Int32 {
        kill(identifier, signal)
        return await exit.first { _ in true } ?? process.terminationStatus
    }

    /// The API key, which is printed when it is made.
    var apiKey: String {
        get throws {
            let line = try #require(banner.split(separator: "\n").first { $0.contains("API key   psk_") }, "\(banner)")
            return String(try #require(line.split(separator: " ").last))
        }
    }

    private static func listening(_ process: Process, _ log: URL) async throws -> (service: String, storage: String) {
        struct Event: Decodable { let event: String?, address: String? }
        let deadline = ContinuousClock.now + .seconds(60)
        while process.isRunning, ContinuousClock.now < deadline {
            let events = try Data(contentsOf: log).split(separator: 0x0a).compactMap {
                try? JSONDecoder().decode(Event.self, from: $0)
            }
            let addresses = ["listening", "storage-listening"].map { name in
                events.first { $0.event == name }?.address
            }
            if let service = addresses[0], let storage = addresses[1] { return (service, storage) }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw PresignProcess.DidNotListen(log: try String(contentsOf: log, encoding: .utf8))
    }

    /// Both listen before the banner is out.
    private static func banner(_ output: URL, directory: String) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(60)
        var text = ""
        while ContinuousClock.now < deadline {
            text = try String(contentsOf: output, encoding: .utf8)
            if text.hasPrefix("presign: "), text.hasSuffix("\n") { return text }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw PresignProcess.DidNotListen(log: text)
    }
}

extension LocalProcess {
    /// A URL of `POST /presign`.
    func url(_ method: String, _ path: String, key: String) async throws -> String {
        let answer = try await Curl.send(
            "POST", "http://\(service)/presign",
            headers: ["X-API-Key": key, "Accept": "text/plain", "Content-Type": "application/x-www-form-urlencoded"],
            body: Data("path=\(path)&method=\(method)".utf8))
        try #require(answer.status == 200, "\(answer.text)")
        return answer.text.trimmingCharacters(in: .newlines)
    }
}
