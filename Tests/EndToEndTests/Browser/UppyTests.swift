import Foundation
import Testing

extension BrowserTests {
    @Suite("Uppy")
    struct UppyTests {
        /// A bundle of Uppy's sources that exports `Uppy` and `AwsS3`, such as esbuild makes of its repository.
        private static let bundle = ProcessInfo.processInfo.environment["PRESIGN_E2E_UPPY"]

        private struct Signed: Decodable { let status: Int, headers: [String], plain: String }

        @Test("uppyOptions adds type and size to the request for a whole object, where the rule demands the type")
        func adapter() async throws {
            try await LocalService.run { service in
                try await Browser.open { browser in
                    try await browser.go(to: service.origin + "/")
                    let found: Signed = try await browser.evaluate(
                        """
                        return (async () => {
                          const { Presign, uppyOptions } = await import('/presign.js');
                          const presign = new Presign({ endpoint: location.origin, apiKey: '\(service.key)' });
                          const options = uppyOptions(presign, { path: ({ name }) => `images/${name}` });
                          const file = new File(['picture'], 'a.png', { type: 'image/png' });
                          const key = options.generateObjectKey(file);
                          const request = { method: 'PUT', key };
                          const { url, headers } = await options.signRequest(request);
                          const response = await fetch(url, { method: 'PUT', headers, body: file });
                          const plain = await presign.sign(request).then(() => 'signed', ({ code }) => code);
                          return { status: response.status, headers: Object.keys(headers), plain };
                        })()
                        """)
                    #expect(found.status == 200 && found.headers == ["content-type"], "\(found)")
                    #expect(found.plain == "constraint", "\(found)")
                }
            }
        }

        private struct Uploaded: Decodable { let failed: [String], same: [Bool] }

        @Test(
            "Uppy uploads a small file and one in parts, with plain requests and with uppyOptions",
            .enabled("needs PRESIGN_E2E_UPPY, a bundle of Uppy") { bundle != nil }, arguments: Browser.Kind.allCases)
        func realSources(kind: Browser.Kind) async throws {
            let code = try Data(contentsOf: URL(filePath: try #require(Self.bundle))).base64EncodedString()
            try await TransferScenario.run(in: kind) { scenario in
                // An address that has no Content-Security-Policy, so that the bundle can be loaded.
                try await scenario.browser.go(to: scenario.origin + "/presign.d.ts")
                let found: Uploaded = try await scenario.run(
                    """
                    const { uppyOptions } = await import('/presign.js');
                    const bytes = Uint8Array.from(atob('\(code)'), (character) => character.charCodeAt(0));
                    const { Uppy, AwsS3 } = await import(URL.createObjectURL(
                      new Blob([bytes], { type: 'text/javascript' })));
                    const path = ({ name }) => `uppy/${name}`;
                    const plain = { generateObjectKey: path, signRequest: async (request) => {
                      const response = await fetch('/presign', { method: 'POST', body: JSON.stringify(request),
                        headers: { authorization: 'Bearer \(scenario.key)', 'content-type': 'application/json' } });
                      return response.json();
                    } };
                    const failed = [], same = [];
                    for (const options of [plain, uppyOptions(presign, { path })]) {
                      const uppy = new Uppy().use(AwsS3, { shouldUseMultipart: ({ size }) => size > 6e6, ...options });
                      const files = [makeFile(1000, 1, 'small'), makeFile(20e6, 2, 'large')];
                      for (const file of files) uppy.addFile({ name: file.name, type: file.type, data: file });
                      const result = await uppy.upload();
                      failed.push(...result.failed.map(({ error }) => String(error)));
                      for (const file of files) {
                        const stored = await presign.download(path(file));
                        same.push(await digest(stored) === await digest(file));
                        await presign.remove(path(file));
                      }
                    }
                    return { failed, same };
                    """)
                #expect(found.failed == [] && found.same == [true, true, true, true], "\(found)")
            }
        }
    }
}
