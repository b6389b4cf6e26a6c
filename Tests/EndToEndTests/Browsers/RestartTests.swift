import Foundation
import Testing

extension Browsers {
    @Suite("What presign.js keeps about an upload")
    struct RestartTests {
        @Test(
            "An upload with other options starts anew, and the one before is aborted as soon as that is possible",
            arguments: Browser.Kind.atLeast(.chromium))
        func otherOptions(kind: Browser.Kind) async throws {
            struct Resumed: Decodable { let digest: String, listed: Int, type: String }
            try await TransferScenario.run(in: kind) { scenario in
                try await scenario.begin(size: 100_000_000, until: 20_000_000, sending: 5)
                try await scenario.load()
                try await scenario.browser.holdUploads()
                try await scenario.browser.releaseUploads(5)
                let _: Bool = try await scenario.run(
                    """
                    // The storage cannot be reached when the first upload is to be aborted.
                    const { open } = XMLHttpRequest.prototype;
                    XMLHttpRequest.prototype.open = function (method, url) {
                      open.call(this, method, method === 'DELETE' ? 'http://127.0.0.1:9/' : url);
                    };
                    window.transfer = presign.upload(makeFile(100e6), { path: 'a', contentType: 'text/other' });
                    await reaches(transfer, 20e6);
                    return true;
                    """)
                #expect(try await scenario.unfinishedUploads == 2)
                try await scenario.load()
                let found: Resumed = try await scenario.run(
                    """
                    const unfinished = await presign.transfers(), file = makeFile(100e6);
                    await unfinished[0].resume(file);
                    const { contentType } = await presign.head('a');
                    return { digest: await digest(file), listed: unfinished.length, type: contentType };
                    """)
                #expect(found.listed == 1 && found.type == "text/other", "\(found)")
                #expect(try await scenario.storedDigest("a") == found.digest)
                #expect(try await scenario.unfinishedUploads == 0)
            }
        }

        @Test("If the page cannot read the ETags of parts, it reads the list of the parts")
        func hiddenETags() async throws {
            struct Completed: Decodable { let digest: String, etag: String?, many: String }
            try await TransferScenario.run(in: .chromium) { scenario in
                let found: Completed = try await scenario.run(
                    """
                    const { getAllResponseHeaders } = XMLHttpRequest.prototype;
                    XMLHttpRequest.prototype.getAllResponseHeaders = function () {
                      return getAllResponseHeaders.call(this).replace(/^etag:.*\\r\\n/im, '');
                    };
                    const file = makeFile(40e6), { etag } = await presign.upload(file, { path: 'a' });
                    // A list has 1,000 parts at most.
                    const { checkETag } = await import('/js/parts.js');
                    checkETag(null, 1000);
                    const many = (await failure((async () => checkETag(null, 1001))())).code;
                    return { digest: await digest(file), etag, many };
                    """)
                #expect(try await scenario.storedDigest("a") == found.digest)
                #expect(found.etag?.hasSuffix("-8\"") == true && found.many == "UnexpectedResponse", "\(found)")
            }
        }
    }
}
