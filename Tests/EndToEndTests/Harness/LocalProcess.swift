import Foundation
import TestSupport
import Testing

/// `presign serve --local` on free ports, with its files in a folder of the test.
struct LocalProcess: Sendable {
    /// `host:port` of the service, and of the storage.
    let service: String
    let storage: String
    let identifier: Int32
    /// The banner printed at startup.
    let banner: String
    private let process: Process
    private let exit: AsyncStream<Int32>

    /// Arguments that let several of them run at once.
    static let freePorts = ["--listen", "127.0.0.1:0", "--local-listen", "127.0.0.1:0"]

    /// Starts it and waits until both servers listen.
    ///
    /// - Parameters:
    ///   - folder: The folder for its files (`data`) and its output.
    ///   - program: The program to run; the built command, serving that folder, if nil.
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

    /// Sends the signal and waits for the end. Returns the exit status, or the signal's number plus 128.
    func end(_ signal: Int32) async -> Int32 {
        kill(identifier, signal)
        return await exit.first { _ in true } ?? process.terminationStatus
    }

    /// The API key, printed when it is generated.
    var apiKey: String {
        get throws {
            let line = try #require(banner.split(separator: "\n").first { $0.contains("API key   psk_") }, "\(banner)")
            return String(try #require(line.split(separator: " ").last))
        }
    }

    /// The printed shell commands that upload and download a file.
    var commands: String {
        get throws {
            let lines = banner.split(separator: "\n").drop { !$0.hasSuffix(" with curl:") }.dropFirst()
                .prefix { $0.hasPrefix("    ") }
            try #require(lines.count == 8, "\(banner)")
            return lines.map { $0.dropFirst(4) + "\n" }.joined()
        }
    }

    private static func listening(_ process: Process, _ log: URL) async throws -> (service: String, storage: String) {
        struct Event: Decodable { let event: String?, address: String? }
        let addresses = try await found(within: .seconds(60)) { () -> (service: String, storage: String)? in
            guard process.isRunning else { throw try PresignProcess.DidNotListen(at: log) }
            let events = try Data(contentsOf: log).split(separator: 0x0a).compactMap {
                try? JSONDecoder().decode(Event.self, from: $0)
            }
            let addresses = ["listening", "storage-listening"].map { name in
                events.first { $0.event == name }?.address
            }
            guard let service = addresses[0], let storage = addresses[1] else { return nil }
            return (service, storage)
        }
        guard let addresses else { throw try PresignProcess.DidNotListen(at: log) }
        return addresses
    }

    /// The banner is printed after both servers listen.
    private static func banner(_ output: URL, directory: String) async throws -> String {
        let text = try await found(within: .seconds(60)) {
            let text = try String(contentsOf: output, encoding: .utf8)
            return text.hasPrefix("presign: ") && text.hasSuffix("\n") ? text : nil
        }
        guard let text else { throw try PresignProcess.DidNotListen(at: output) }
        return text
    }
}

extension LocalProcess {
    /// The URL returned by `POST /presign`.
    func url(_ method: String, _ path: String, key: String) async throws -> String {
        let response = try await HTTP.send(
            "POST", "http://\(service)/presign",
            headers: ["X-API-Key": key, "Accept": "text/plain", "Content-Type": "application/x-www-form-urlencoded"],
            body: Data("path=\(path)&method=\(method)".utf8))
        try #require(response.status == 200, "\(response.text)")
        return response.text.trimmingCharacters(in: .newlines)
    }
}
