import Foundation
import Testing

/// The service as `config/quickstart.sh` starts it, on free ports.
enum Quickstart {
    static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../config/quickstart.sh").standardized.path()

    /// The built command, on free ports.
    static var environment: [String: String] {
        get throws {
            [
                "PRESIGN_BINARY": try #require(PresignProcess.binary), "PRESIGN_LISTEN": "127.0.0.1:0",
                "PRESIGN_LOCAL_LISTEN": "127.0.0.1:0",
            ]
        }
    }

    /// - Parameters:
    ///   - folder: The folder for the objects, in `.presign-local`, and the output.
    ///   - options: Additional arguments.
    static func start(in folder: URL, _ options: [String] = []) async throws -> LocalProcess {
        let arguments = [folder.appending(path: ".presign-local").path()] + options
        return try await LocalProcess.start(in: folder, program: (script, arguments, try environment))
    }
}
