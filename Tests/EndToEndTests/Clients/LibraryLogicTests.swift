import Foundation
import Testing

/// The tests in `Tests/clients/library`: presign.js with a service and a storage that exist only in its page.
@Suite("The logic of presign.js")
struct LibraryLogicTests {
    private struct Outcome: Decodable { let count: Int, failures: [String] }

    private static let node = "/usr/bin/node"

    @Test(
        "In Node.js", .enabled("needs Debian's nodejs") { FileManager.default.fileExists(atPath: node) })
    func inNode() async throws {
        try await withTemporaryDirectory { directory in
            try LibraryFiles.write(to: directory)
            let result = try await Command.run(Self.node, [directory.appending(path: "tests/run.js").path()])
            try #require(result.status == 0, "\(result.errors)")
            expectSuccess(try JSONDecoder().decode(Outcome.self, from: Data(result.output.utf8)))
        }
    }

    private func expectSuccess(_ outcome: Outcome) {
        #expect(outcome.failures == [])
        #expect(outcome.count >= 102)
    }
}
