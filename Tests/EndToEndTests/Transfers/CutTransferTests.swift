import Foundation
import Testing

extension Transfers {
    @Suite("Transfers of presign.js to a real S3 server")
    struct CutTransferTests {
        private struct Uploaded: Decodable {
            let digest: String, stored: String, head: Int, removed: Bool
        }

        /// What the proxy counts: the bytes of all uploads, and its resets.
        private struct Cuts: Decodable { let bytes: Int, resets: Int }

        /// The size of the file, and the bytes after which the proxy resets a connection.
        private static let size = 100_000_000, limit = 24_000_000

        @Test(
            "An upload whose connection is reset after every 24 MB is stored completely",
            .enabled("needs SeaweedFS") { StorageKind.present.contains(.seaweedfs) },
            arguments: Browser.Kind.atLeast(.firefox))
        func cuts(kind: Browser.Kind) async throws {
            try await withTemporaryDirectory { directory in
                let port = try FreePort.next()
                let storage = try StorageKind.seaweedfs.server
                let storagePort = try #require(URL(string: try storage.setting("ENDPOINT"))?.port)
                let bucket = try storage.setting("BUCKET")
                let serviceFile = directory.appending(path: "service")
                let (proxy, exit) = try Command.start(
                    "/usr/bin/python3",
                    [
                        Python.script("cutting_proxy"), "\(port)", bucket, "\(storagePort)", serviceFile.path(),
                        "\(Self.limit)",
                    ], environment: [:], output: directory.appending(path: "output"),
                    errors: directory.appending(path: "errors"))
                let outcome: Result<Void, any Error>
                do {
                    outcome = .success(
                        try await upload(in: kind, through: "http://127.0.0.1:\(port)", bucket, storage, serviceFile))
                } catch {
                    outcome = .failure(error)
                }
                if proxy.isRunning { kill(proxy.processIdentifier, SIGKILL) }
                for await _ in exit {}
                try outcome.get()
            }
        }

        private func upload(
            in kind: Browser.Kind, through origin: String, _ bucket: String, _ storage: StorageServer,
            _ serviceFile: URL
        ) async throws {
            let settings = [
                "bucket": bucket, "region": try storage.setting("REGION"), "endpoint": origin, "addressing": "path",
                "default": "true", "credentials": "environment",
            ]
            try await PresignProcess.serving(
                store: settings, environment: try storage.credentials, page: true
            ) { service in
                try Data(service.address.utf8).write(to: serviceFile)
                try await Browser.open(kind) { browser in
                    try await browser.go(to: origin + "/")
                    let found: Uploaded = try await browser.evaluate(
                        """
                        return (async () => {
                          const { Presign } = await import('/presign.js');
                          const presign = new Presign({ endpoint: location.origin, apiKey: '\(service.apiKey)' });
                          \(TransferScenario.functions)
                          const file = makeFile(\(Self.size)), path = 'cut-\(UUID().uuidString)';
                          await presign.upload(file, { path, overwrite: false });
                          const stored = await digest(await presign.download(path));
                          const { size } = await presign.head(path);
                          await presign.remove(path);
                          const removed = await presign.head(path) === null;
                          return { digest: await digest(file), stored, head: size, removed };
                        })().catch(({ code, message }) => { throw new Error(`${code}: ${message}`); })
                        """)
                    #expect(found.digest == found.stored && found.head == Self.size && found.removed, "\(found)")
                    let response = try await HTTP.send("GET", origin + "/control/count")
                    let cuts = try JSONDecoder().decode(Cuts.self, from: response.body)
                    // Each byte is sent at least once; after a reset, at most its part is sent again.
                    #expect(cuts.bytes >= Self.size && cuts.resets == cuts.bytes / Self.limit, "\(cuts)")
                    #expect(cuts.bytes <= Self.size + cuts.resets * Self.size / 5, "\(cuts)")
                }
            }
        }
    }
}
