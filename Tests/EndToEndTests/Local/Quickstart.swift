import Foundation
import Testing

/// The service as `config/quickstart.sh` starts it, on free ports.
enum Quickstart {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../config/quickstart.sh").standardized.path()

    /// - Parameter folder: gets the objects, in `.presign-local`, and the output.
    static func start(in folder: URL) async throws -> LocalProcess {
        let environment = [
            "PRESIGN_BINARY": try #require(PresignProcess.binary), "PRESIGN_LISTEN": "127.0.0.1:0",
            "PRESIGN_LOCAL_LISTEN": "127.0.0.1:0",
        ]
        return try await LocalProcess.start(
            in: folder, program: (script, [folder.appending(path: ".presign-local").path()], environment))
    }
}
