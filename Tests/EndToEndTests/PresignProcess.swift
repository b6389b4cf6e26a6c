import Foundation
import Testing

/// The built service, running with a configuration of its own.
final class PresignProcess: @unchecked Sendable {
    // `@unchecked Sendable`: `process` is only signalled and waited for, which Foundation allows from any thread.
    private let process = Process()
    private let folder: TemporaryFolder
    let apiKey: String
    let address: String

    /// The program under test; `PRESIGN_BINARY` names it.
    static let binary = ProcessInfo.processInfo.environment["PRESIGN_BINARY"]

    /// Starts the service in front of a server and waits until it listens.
    ///
    /// - Parameter store: settings of the store besides bucket and region, as YAML flow members.
    init(_ server: StorageServer, store: String? = nil, credentials: [String: String]? = nil) throws {
        folder = try TemporaryFolder()
        let binary = try #require(Self.binary)
        let key = try Subprocess(binary, ["key", "new", "tester"]).lines
        apiKey = try #require(key.first)
        let hash = try #require(key.last)
        let store = store ?? #"endpoint: "\#(server.endpoint)", addressing: path"#
        let configuration = try folder.file(
            "presign.yaml",
            Data(
                """
                version: 1
                server: {listen: ["127.0.0.1:0"], loops: 1}
                stores: {main: {bucket: \(server.bucket), region: us-east-1, \(store)}}
                auth: {apiKeys: [{id: tester, hashes: ["\(hash)"]}]}
                rules: [{path: "**", allow: {"caller:tester": [read, write, delete, multipart]}}]
                """.utf8))
        let diagnostics = Pipe()
        process.executableURL = URL(fileURLWithPath: binary)
        process.arguments = ["serve", "--config", configuration]
        process.environment = ProcessInfo.processInfo.environment
            .merging(credentials ?? server.credentials) { _, own in own }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = diagnostics
        try process.run()
        address = try #require(Self.listeningAddress(in: diagnostics.fileHandleForReading))
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Ends it by SIGTERM and gives its exit status.
    func stop() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// What `POST /presign` answers.
    func ask(_ members: [String: Any]) throws -> (status: Int, body: [String: Any]) {
        let body = try JSONSerialization.data(withJSONObject: members)
        let answer = try Curl([
            "-H", "Authorization: Bearer \(apiKey)", "-H", "Content-Type: application/json", "--data-binary",
            String(decoding: body, as: UTF8.self), "http://\(address)/presign",
        ])
        return (answer.status, try JSONSerialization.jsonObject(with: answer.body) as? [String: Any] ?? [:])
    }

    /// The URL of a request that must succeed.
    func url(_ members: [String: Any]) throws -> String {
        let answer = try ask(members)
        #expect(answer.status == 200, "\(answer.body)")
        return try #require(answer.body["url"] as? String)
    }

    /// Reads diagnostics up to the line that tells the address; nil when the process ended without one.
    private static func listeningAddress(in handle: FileHandle) -> String? {
        var text = ""
        while true {
            let chunk = handle.availableData
            if chunk.isEmpty { return nil }
            text += String(decoding: chunk, as: UTF8.self)
            for line in text.split(separator: "\n") where line.contains(#""event":"listening""#) {
                let members = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
                if let address = members?["address"] { return address }
            }
        }
    }
}
