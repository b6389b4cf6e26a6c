import Foundation
import Testing

extension Browsers {
    @Suite("Interrupted downloads of presign.js")
    struct DownloadTests {
        private struct Downloaded: Decodable { let isSame: Bool, ranges: [String], totals: [Int?] }

        /// What happens to the object before its interrupted download goes on, and the ranges that are requested.
        private struct Case: Sendable {
            let name: String
            /// The options of the upload of `file`, or a script that changes it.
            var prepare = ""
            var meanwhile = ""
            /// A header that the page cannot read.
            var hidden = ""
            var browsers = Browser.Kind.allCases
            let ranges: [String]
        }

        private static let gzip = """
            const zipped = await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
            await presign.upload(zipped, { path: 'a', contentEncoding: 'gzip', multipart: false });
            """
        private static let cases = [
            Case(name: "continues with the last bytes", ranges: ["none", "rest"]),
            Case(name: "without a readable ETag, starts anew", hidden: "etag", ranges: ["none", "none"]),
            Case(
                name: "of an object that was replaced, starts anew",
                meanwhile: "file = makeFile(6e6, 2); await presign.upload(file, { path: 'a', multipart: false });",
                ranges: ["none", "rest", "none"]),
            Case(
                name: "of an object that is shorter now, starts anew",
                meanwhile: "file = makeFile(9, 2); await presign.upload(file, { path: 'a' });",
                ranges: ["none", "rest", "none"]),
            Case(name: "of encoded content, starts anew", prepare: gzip, ranges: ["none", "none"]),
            // Chromium fails the request for the rest without a response, and Firefox while it decodes the rest.
            Case(
                name: "of encoded content that the page takes for plain, starts anew", prepare: gzip,
                hidden: "content-encoding", browsers: [.firefox], ranges: ["none", "rest", "rest", "none"]),
        ]

        @Test("An interrupted download ends with the object's content", arguments: Browser.Kind.atLeast(.firefox))
        func interrupted(kind: Browser.Kind) async throws {
            try await LocalService.run { service in
                try await TransferScenario.run(in: kind, service.origin, service.key) { scenario in
                    for one in Self.cases where one.browsers.contains(kind) {
                        try await scenario.load()
                        let found: Downloaded = try await scenario.run(Self.script(one))
                        #expect(found.isSame, "\(one.name): \(found)")
                        #expect(found.ranges == one.ranges, "\(one.name): \(found)")
                    }
                }
            }
        }

        @Test("A download goes to a file, also after an interruption", arguments: Browser.Kind.allCases)
        func toFile(kind: Browser.Kind) async throws {
            struct Saved: Decodable { let isSame: Bool, ranges: [String], kept: Bool }
            try await LocalService.run { service in
                try await TransferScenario.run(in: kind, service.origin, service.key) { scenario in
                    let found: Saved = try await scenario.run(
                        """
                        const directory = await navigator.storage.getDirectory();
                        const handle = await directory.getFileHandle('saved', { create: true });
                        \(Self.interruption(Case(name: "", ranges: [])))
                        await presign.download('a', { to: handle });
                        const saved = await handle.getFile();
                        // A download that fails leaves the file as it is.
                        await failure(presign.download('absent', { to: handle }));
                        const kept = (await handle.getFile()).size === file.size;
                        return { isSame: await digest(saved) === await digest(file), ranges, kept };
                        """)
                    #expect(found.isSame && found.kept && found.ranges.prefix(2) == ["none", "rest"], "\(found)")
                }
            }
        }

        /// Interrupts the first response of the storage after its first piece.
        private static func interruption(_ one: Case) -> String {
            """
            let file = makeFile(5e6);
            \(one.prepare.isEmpty ? "await presign.upload(file, { path: 'a', multipart: false });" : one.prepare)
            const { fetch } = window, ranges = [], totals = [];
            window.fetch = async (url, options) => {
              if (!String(url).includes('X-Amz-Signature')) return fetch(url, options);
              ranges.push(options.headers.range === undefined ? 'none' : 'rest');
              const { status, headers: all, body } = await fetch(url, options);
              const headers = new Headers(all);
              headers.delete('\(one.hidden.isEmpty ? "x-none" : one.hidden)');
              if (ranges.length > 1) return new Response(body, { status, headers });
              const reader = body.getReader();
              let isFirst = true;
              return new Response(new ReadableStream({
                async pull(controller) {
                  if (isFirst) {
                    isFirst = false;
                    return controller.enqueue((await reader.read()).value);
                  }
                  await reader.cancel();
                  \(one.meanwhile)
                  controller.error(new TypeError('interrupted'));
                },
              }), { status, headers });
            };
            """
        }

        private static func script(_ one: Case) -> String {
            """
            \(interruption(one))
            const stored = await presign.download('a', { onProgress: ({ total }) => totals.push(total) });
            return { isSame: await digest(stored) === await digest(file), ranges, totals: [...new Set(totals)] };
            """
        }
    }
}
