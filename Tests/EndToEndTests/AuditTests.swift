import Foundation
import TestSupport
import Testing

@Suite("Audit of the running command", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct AuditTests {
    private struct Line: Decodable { let event: String, key: String }

    @Test("The service survives a file size limit, and a new file starts with the line that did not fit")
    func limitedFile() async throws {
        try await ConcurrencyLimit.tests.pass {
            try await withTemporaryDirectory { folder in
                let audit = folder.appending(path: "audit")
                let configuration = """
                    version: 1
                    stores: {local: {bucket: local, region: us-east-1}}
                    auth: {guest: true}
                    log: {requests: false}
                    audit: {to: \(audit.path())}
                    rules: [{path: "**", allow: {everyone: [read]}}]
                    """
                let file = folder.appending(path: "presign.yaml")
                try Data(configuration.utf8).write(to: file)
                // The limit per file is 16 blocks of 512 bytes.
                let script =
                    #"ulimit -f 16; exec "$0" serve --config "$1" --local "$2" "#
                    + LocalProcess.freePorts.joined(separator: " ")
                let program = [
                    "-c", script, try #require(PresignProcess.binary), file.path(),
                    folder.appending(path: "data").path(),
                ]
                let process = try await LocalProcess.start(in: folder, program: ("/bin/sh", program, [:]))
                try await ask(process, (0..<60).map { "first\($0)" })
                #expect(try await eventually { try Data(contentsOf: audit).count == 16 * 512 })
                let old = folder.appending(path: "old")
                try FileManager.default.moveItem(at: audit, to: old)
                kill(process.identifier, SIGUSR1)
                #expect(try await eventually { try lines(of: audit).count > 0 })
                let first = try lines(of: old).map(\.key)
                #expect(!first.isEmpty && first == (0..<first.count).map { "first\($0)" })
                #expect(try lines(of: audit).first?.key == "first\(first.count)")
                #expect(await process.end(SIGTERM) == 0)
            }
        }
    }

    /// The complete lines of a file; a line that did not fit may follow them.
    private func lines(of file: URL) throws -> [Line] {
        guard let data = try? Data(contentsOf: file), let end = data.lastIndex(of: 0x0A) else { return [] }
        return try data[..<end].split(separator: 0x0A).map { try JSONDecoder().decode(Line.self, from: $0) }
    }

    private func ask(_ process: LocalProcess, _ keys: [String]) async throws {
        let items = keys.map { #"{"path":"\#($0)"}"# }.joined(separator: ",")
        let response = try await Command.run(
            "/usr/bin/curl",
            [
                "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Content-Type: application/json", "-d",
                #"{"requests":[\#(items)]}"#, "http://\(process.service)/presign/batch",
            ])
        #expect(response.output == "200")
    }
}
