import Foundation
import Testing

@Suite("Core dumps", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct CoreDumpTests {
    @Test("They are disabled")
    func disabled() async throws {
        let store = ["bucket": "test", "region": "us-east-1", "endpoint": "http://127.0.0.1:1"]
        let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"]
        try await PresignProcess.serving(store: store, environment: keys) { service in
            let folder = "/proc/\(service.identifier)"
            let limits = try String(contentsOfFile: "\(folder)/limits", encoding: .utf8)
            #expect(limits.contains(#/Max core file size +0 +0 +bytes/#), "\(limits)")
        }
    }
}
