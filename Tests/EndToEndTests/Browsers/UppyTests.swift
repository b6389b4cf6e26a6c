import Foundation
import Testing

extension Browsers {
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

        private struct Sent: Decodable { let status: Int, refused: Int, key: String, type: String, method: String }

        @Test("With `form`, uppyOptions returns what Uppy 6.3 needs to send a whole file as an HTML form")
        func form() async throws {
            try await LocalService.run { service in
                try await Browser.open { browser in
                    try await browser.go(to: service.origin + "/")
                    let found: Sent = try await browser.evaluate(
                        """
                        return (async () => {
                          const { Presign, uppyOptions } = await import('/presign.js');
                          const presign = new Presign({ endpoint: location.origin, apiKey: '\(service.key)' });
                          const options = uppyOptions(presign, { path: ({ name }) => `images/${name}`, form: true });
                          const key = options.generateObjectKey(new File(['x'], 'a.png', { type: 'image/png' }));
                          const { url, fields, method } = await options.signRequest({ method: 'PUT', key });
                          // As Uppy sends it: all fields, then the file.
                          const send = async (size) => {
                            const body = new FormData();
                            for (const [name, value] of Object.entries(fields)) body.append(name, value);
                            body.append('file', new File([new Uint8Array(size)], 'a.png'));
                            return (await fetch(url, { method: 'POST', body })).status;
                          };
                          const [status, refused] = [await send(100 * 1024), await send(100 * 1024 + 1)];
                          const { contentType } = await presign.head(key);
                          return { status, refused, key: fields.key, type: contentType, method };
                        })()
                        """)
                    #expect(found.status == 201 && found.refused == 400, "\(found)")
                    #expect(found.key == "images/a.png" && found.type == "image/png" && found.method == "POST")
                }
            }
        }

        @Test(
            "Uppy uploads a small file and one in parts: with plain requests, with uppyOptions, and by every limit",
            .enabled("needs PRESIGN_E2E_UPPY, a bundle of Uppy") { bundle != nil }, arguments: Browser.Kind.allCases)
        func realSources(kind: Browser.Kind) async throws {
            let code = try Data(contentsOf: URL(filePath: try #require(Self.bundle))).base64EncodedString()
            try await LocalService.run { service in
                try await TransferScenario.run(in: kind, service.origin, service.key) { scenario in
                    // An address that has no Content-Security-Policy, so that the bundle can be loaded.
                    try await scenario.browser.go(to: scenario.origin + "/presign.d.ts")
                    let found: [Uploaded] = try await scenario.run(Self.script(bundle: code, key: service.key))
                    #expect(found.map(\.failed) == [0, 0, 0, 2, 1], "\(found)")
                    #expect(found.prefix(3).allSatisfy { $0.same == [true, true] }, "\(found)")
                }
            }
        }

        private struct Uploaded: Decodable { let failed: Int, same: [Bool], errors: [String] }

        /// Uploads two files in each of several ways.
        private static func script(bundle: String, key: String) -> String {
            """
            const { uppyOptions } = await import('/presign.js');
            const bytes = Uint8Array.from(atob('\(bundle)'), (character) => character.charCodeAt(0));
            const { Uppy, AwsS3 } = await import(URL.createObjectURL(
              new Blob([bytes], { type: 'text/javascript' })));
            const inFolder = (folder) => ({ name }) => `${folder}/${name}`;
            const plain = (folder) => ({ generateObjectKey: inFolder(folder), signRequest: async (request) => {
              const response = await fetch('/presign', { method: 'POST', body: JSON.stringify(request),
                headers: { authorization: 'Bearer \(key)', 'content-type': 'application/json' } });
              const result = await response.json();
              if (!response.ok) throw new Error(result.detail);
              return result;
            } });
            const adapted = (folder, partSize) => uppyOptions(presign, { path: inFolder(folder), partSize });
            const outcome = async (folder, options) => {
              const uppy = new Uppy().use(AwsS3, { shouldUseMultipart: ({ size }) => size > 6e6, ...options });
              const files = [makeFile(1000, 1, 'small'), makeFile(20e6, 2, 'large')].map((file) =>
                new File([file], file.name, { type: 'image/png' }));
              for (const file of files) uppy.addFile({ name: file.name, type: file.type, data: file });
              const { failed } = await uppy.upload(), same = [];
              for (const file of failed.length > 0 ? [] : files) {
                const path = `${folder}/${file.name}`;
                same.push(await digest(await presign.download(path)) === await digest(file));
                await presign.remove(path);
              }
              return { failed: failed.length, same, errors: failed.map(({ error }) => String(error)) };
            };
            return [
              await outcome('parts', plain('parts')), await outcome('parts', adapted('parts')),
              await outcome('bounded', adapted('bounded', 5 << 20)),
              // Refused: without type and size, and with larger parts than the rule allows.
              await outcome('bounded', plain('bounded')), await outcome('bounded', adapted('bounded', 8 << 20)),
            ];
            """
        }
    }
}
