import Foundation
import Testing

/// A real S3 server that the test run started; its settings stand in a file of NAME=value lines.
struct StorageServer: Sendable, CustomTestStringConvertible {
    let name: String
    private let settings: [String: String]

    var testDescription: String { name }
    var endpoint: String { settings["ENDPOINT"] ?? "" }
    var port: String { endpoint.split(separator: ":").last.map { String($0) } ?? "" }
    var bucket: String { settings["BUCKET"] ?? "" }
    var virtualHostDomain: String? { settings["VIRTUAL_HOST_DOMAIN"] }

    /// The variables that make these credentials the environment's.
    var credentials: [String: String] {
        ["AWS_ACCESS_KEY_ID": settings["ACCESS_KEY"] ?? "", "AWS_SECRET_ACCESS_KEY": settings["SECRET"] ?? ""]
    }

    /// The same for temporary credentials, where the server hands them out.
    var temporaryCredentials: [String: String]? {
        guard let id = settings["SESSION_ACCESS_KEY"], let secret = settings["SESSION_SECRET"],
            let token = settings["SESSION_TOKEN"]
        else { return nil }
        return ["AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": token]
    }

    /// The servers of this run: `PRESIGN_E2E_SEAWEEDFS` and `PRESIGN_E2E_SWIFT` name their files.
    static let all: [StorageServer] = ["seaweedfs", "swift"].compactMap { name in
        guard let file = ProcessInfo.processInfo.environment["PRESIGN_E2E_" + name.uppercased()],
            let text = try? String(contentsOfFile: file, encoding: .utf8)
        else { return nil }
        var settings: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map { String($0) }
            if parts.count == 2 { settings[parts[0]] = parts[1] }
        }
        return StorageServer(name: name, settings: settings)
    }

    static let isAvailable = !all.isEmpty && PresignProcess.binary != nil
}
