import Foundation
import Testing

/// The path of the built `Tests/leaks/blocks.c`; `Tests/run.sh` builds it.
private let counter = ProcessInfo.processInfo.environment["PRESIGN_E2E_BLOCKS"]

@Suite("Memory leaks", .pythonClients, .enabled(if: counter != nil, "needs PRESIGN_E2E_BLOCKS"))
struct LeakTests {
    private static let key = "psk_tester_" + String(repeating: "W", count: 43)
    private static let secret = String(repeating: "a secret of this test ", count: 2)

    private static func configuration(in folder: URL) -> String {
        """
        version: 1
        server: {listen: ["127.0.0.1:0"], loops: 1}
        stores: {local: {bucket: local, region: us-east-1, links: true}}
        auth:
          guest: true
          apiKeys:
            - {id: tester, hashes: ["sha256:117044aba2466849dbcf08c1e3056c53c9139be4ed5bf90f400c4bdbee2a309e"]}
          jwt:
            - name: users
              issuer: https://issuer.example
              audience: [presign]
              algorithms: [HS256]
              secretFile: \(folder.appending(path: "secret").path())
              claims: {identity: sub, groups: groups}
        audit: {to: \(folder.appending(path: "audit").path())}
        limits: {failedAuthentications: 1000000/m}
        expires: {max: 1d}
        cors: {origins: ["*"]}
        rules:
          - {path: uploads/**, allow: {"caller:tester": [read, write, delete]}}
          - {path: "private/{identity}/**", allow: {owner: [read, write]}}
          - {path: guests/**, allow: {everyone: [get]}}
        """
    }

    @Test("Every kind of request, granted, rejected or aborted, and every reload frees its memory")
    func blocks() async throws {
        try await ConcurrencyLimit.tests.pass {
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "presign.yaml")
                try Data(Self.configuration(in: folder).utf8).write(to: file)
                try Data(Self.secret.utf8).write(to: folder.appending(path: "secret"))
                let blocks = folder.appending(path: "blocks").path()
                let local = ["--config", file.path(), "--local", folder.appending(path: "data").path()]
                let server = try await LocalProcess.start(
                    in: folder,
                    program: (
                        try #require(PresignProcess.binary), ["serve"] + local + LocalProcess.freePorts,
                        ["LD_PRELOAD": try #require(counter), "BLOCKS": blocks]
                    ))
                let rounds = 100
                let output = try await Python.run(
                    "every_kind", [server.storage, "\(server.identifier)", "\(rounds)"],
                    environment: [
                        "PRESIGN": "http://\(server.service)", "PRESIGN_KEY": Self.key, "SECRET": Self.secret,
                        "BLOCKS": blocks,
                    ])
                let growth = try #require(Int(output.trimmingCharacters(in: .newlines)), "\(output)")
                // A leak of one block per request of a kind adds one block per round.
                #expect(growth < rounds / 2, "\(growth) blocks more after \(rounds) more rounds")
                #expect(await server.end(SIGTERM) == 0)
            }
        }
    }
}
