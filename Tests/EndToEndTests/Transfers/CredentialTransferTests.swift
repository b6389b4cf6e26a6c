import Foundation
import Testing

extension Transfers {
    @Suite("Transfers of presign.js with temporary credentials")
    struct CredentialTransferTests {
        /// The life of the credentials. Long enough for a busy machine to get new ones and to send a request with them.
        private static let seconds = 10

        @Test(
            "Each part whose credentials have ended gets a URL with others",
            .enabled("needs SeaweedFS") { StorageKind.present.contains(.seaweedfs) },
            arguments: Browser.Kind.atLeast(.chromium))
        func endedCredentials(kind: Browser.Kind) async throws {
            struct Renewed: Decodable { let digest: String, late: [String], keys: [Int], statuses: [Int] }
            try await RestartableSeaweedFS.serving(sessionSeconds: Self.seconds) { storage, service in
                let origin = "http://\(service.address)"
                try await TransferScenario.run(in: kind, origin, service.apiKey, storage) { scenario in
                    let found: Renewed = try await scenario.run(
                        """
                        const { open, send } = XMLHttpRequest.prototype, late = [], keys = {}, statuses = [];
                        XMLHttpRequest.prototype.open = function (method, url) {
                          this.part = /partNumber=([0-9]+)/.exec(url)?.[1];
                          const key = new URL(url).searchParams.get('X-Amz-Credential').split('/')[0];
                          if (this.part) (keys[this.part] ??= new Set()).add(key);
                          open.apply(this, arguments);
                        };
                        XMLHttpRequest.prototype.send = function (body) {
                          if (!this.part || late.includes(this.part)) return send.call(this, body);
                          late.push(this.part);
                          this.addEventListener('loadend', () => statuses.push(this.status));
                          // The credentials must have ended when the request arrives.
                          setTimeout(() => send.call(this, body), \(Self.seconds) * 1000 + 500);
                        };
                        const file = makeFile(31e6);
                        await presign.upload(file, { path: 'a', overwrite: false });
                        return { digest: await digest(file), late: late.sort(), statuses,
                          keys: Object.values(keys).map(({ size }) => size) };
                        """)
                    #expect(found.late == ["1", "2", "3", "4", "5", "6"], "\(found)")
                    #expect(found.keys.count == 6 && found.keys.allSatisfy { $0 >= 2 }, "\(found)")
                    #expect(found.statuses.allSatisfy { 400...403 ~= $0 }, "\(found)")
                    #expect(try await scenario.storedDigest("a") == found.digest)
                    #expect(try await scenario.unfinishedUploads == 0)
                }
            }
        }
    }
}
