import Foundation
import TestSupport
import Testing

extension Alone {
    @Suite("The speed of presign.js", .browser, .sharedBrowsers)
    struct SpeedTests {
        /// The network: a round trip takes 100 ms, and a connection sends 2 MB per second.
        private static let network = ["100", "2000000"]

        /// A bucket of its own, because other tests use the CORS rules of theirs.
        private static let bucket = "speed"

        private struct Times: Decodable { let plain: Double, parts: Double, small: Double }

        @Test(
            "60 MB arrive 4.3 times as fast as in one PUT; small files do not wait for a signature each",
            .enabled("runs with Tests/run.sh --long, with SeaweedFS") {
                isLongRun && StorageKind.present.contains(.seaweedfs)
            })
        func slowNetwork() async throws {
            let times = try await measure()
            print("one PUT \(times.plain) s, presign.js \(times.parts) s, 60 files of 3 bytes \(times.small) s")
            #expect(times.plain / times.parts >= 4.3, "\(times)")
            // A preflight and a PUT for each file over six connections take 2 s.
            #expect(times.small < 3.5, "\(times)")
        }

        /// Uploads from a page of a third origin through slow connections to the service and the storage.
        private func measure() async throws -> Times {
            let storage = try StorageKind.seaweedfs.server
            let target = try #require(URL(string: try storage.setting("ENDPOINT"))?.port)
            let (storagePort, servicePort) = (try FreePort.next(), try FreePort.next())
            let settings = [
                "bucket": Self.bucket, "region": try storage.setting("REGION"),
                "endpoint": "http://127.0.0.1:\(storagePort)", "addressing": "path", "default": "true",
                "credentials": "environment",
            ]
            var times: Times?
            try await ScriptedServer.run { site in
                let page = "http://127.0.0.1:\(site.port)"
                try await storage.run("s3_request.py", ["make-bucket", Self.bucket])
                try await storage.run(
                    "s3_request.py", ["allow-origin", Self.bucket, page, "GET", "HEAD", "PUT", "POST", "DELETE"])
                try await PresignProcess.serving(
                    store: settings, environment: try storage.credentials,
                    sections: "cors: {origins: [\"\(page)\"]}"
                ) { service in
                    let routes = ["\(storagePort):127.0.0.1:\(target)", "\(servicePort):\(service.address)"]
                    try await Self.withProxy(routes) {
                        try await Browser.open { browser in
                            try await browser.go(to: page)
                            times = try await browser.evaluate(
                                Self.script("http://127.0.0.1:\(servicePort)", service.apiKey))
                        }
                    }
                }
            }
            return try #require(times)
        }

        private static func script(_ endpoint: String, _ key: String) -> String {
            """
            return (async () => {
              const { Presign } = await import('/presign.js');
              const presign = new Presign({ endpoint: '\(endpoint)', apiKey: '\(key)' });
              const seconds = async (action) => {
                const start = performance.now();
                await action();
                return (performance.now() - start) / 1000;
              };
              const path = (name) => `speed-${Math.random()}-${name}`;
              const body = new Blob([new Uint8Array(60e6)]);
              const { url } = await presign.sign({ path: path('plain'), method: 'PUT' });
              const small = Array.from({ length: 60 }, (_, index) => new File(['abc'], path(index)));
              return {
                plain: await seconds(() => fetch(url, { method: 'PUT', body })),
                parts: await seconds(() => presign.upload(body, { path: path('parts') })),
                small: await seconds(() => presign.uploadAll(small)),
              };
            })().catch(({ code, message }) => { throw new Error(`${code}: ${message}`); })
            """
        }

        private static func withProxy(_ routes: [String], _ body: () async throws -> Void) async throws {
            try await withTemporaryDirectory { directory in
                let (proxy, exit) = try Command.start(
                    "/usr/bin/python3", [Python.script("slow_proxy")] + network + routes, environment: [:],
                    output: directory.appending(path: "output"), errors: directory.appending(path: "errors"))
                let outcome: Result<Void, any Error>
                do {
                    outcome = .success(try await body())
                } catch {
                    outcome = .failure(error)
                }
                if proxy.isRunning { kill(proxy.processIdentifier, SIGKILL) }
                for await _ in exit {}
                try outcome.get()
            }
        }
    }
}
