import Foundation
import Testing

extension Transfers {
    @Suite("Transfers of presign.js by the limits of a rule")
    struct BoundedTransferTests {
        private typealias Failed = TransferScenario.Failed

        @Test("Parts have the rule's size, and a listing shows the object", arguments: Browser.Kind.atLeast(.firefox))
        func parts(kind: Browser.Kind) async throws {
            struct Listed: Decodable { let same: Bool, etag: String, sent: Int, paths: [String], size: Int }
            try await LocalService.run { service in
                try await TransferScenario.run(in: kind, service.origin, service.key) { scenario in
                    let found: Listed = try await scenario.run(
                        """
                        \(TransferScenario.countingParts)
                        const path = 'bounded/a.png', file = makeFile(12e6);
                        const { etag } = await presign.upload(file, { path, contentType: 'image/png' });
                        const { objects } = await presign.list('bounded/');
                        return {
                          same: await digest(await presign.download(path)) === await digest(file), etag,
                          sent: parts.sent, paths: objects.map((object) => object.path), size: objects[0].size,
                        };
                        """)
                    #expect(found.same && found.sent == 3 && found.etag.hasSuffix("-3\""), "\(found)")
                    #expect(found.paths == ["bounded/a.png"] && found.size == 12_000_000, "\(found)")
                }
            }
        }

        @Test(
            "What a rule does not allow is refused before anything is sent",
            arguments: Browser.Kind.atLeast(.chromium))
        func refusals(kind: Browser.Kind) async throws {
            struct Refused: Decodable { let errors: [Failed], sent: Int }
            try await LocalService.run { service in
                try await TransferScenario.run(in: kind, service.origin, service.key) { scenario in
                    let found: Refused = try await scenario.run(
                        """
                        let sent = 0;
                        const { send } = XMLHttpRequest.prototype;
                        XMLHttpRequest.prototype.send = function () { sent += 1; send.apply(this, arguments); };
                        const errors = [];
                        const cases = [[31 << 20, 'image/png'], [12e6, 'text/plain'], [9, 'text/plain']];
                        for (const [size, contentType] of cases) {
                          errors.push(await failure(presign.upload(makeFile(size), { path: 'bounded/b', contentType })));
                        }
                        return { errors, sent };
                        """)
                    #expect(found.errors.map(\.code) == ["constraint", "constraint", "constraint"], "\(found)")
                    #expect(found.sent == 0, "\(found)")
                }
            }
        }
    }
}
