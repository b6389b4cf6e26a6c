import Foundation
import Testing

/// `Tests/storage/honouring_s3.py`, a server that does not do what rules with limits rely on.
enum HonouringStorage {
    /// Runs the body with the server's endpoint.
    ///
    /// - Parameters:
    ///   - keys: The secret and the permitted actions of each access key id.
    ///   - delay: The seconds before each response.
    static func run(
        keys: [String: (secret: String, actions: [String])], delay: Double = 0,
        _ body: (_ endpoint: String) async throws -> Void
    ) async throws {
        let members = keys.mapValues { ["secret": $0.secret, "actions": $0.actions] as [String: Any] }
        let text = String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
        _ = try await BackgroundProgram.run(
            "/usr/bin/env", ["python3", StorageServer.script("honouring_s3.py"), text, "\(delay)"], awaited: false
        ) { storage in
            let port = try await storage.firstLine()
            try await body("http://127.0.0.1:\(port)")
        }
    }
}
