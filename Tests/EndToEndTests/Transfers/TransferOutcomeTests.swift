import Foundation
import Testing

extension Transfers {
    @Suite("How transfers of presign.js end")
    struct TransferOutcomeTests {
        private typealias Failed = TransferScenario.Failed

        @Test(
            "If the service refuses part 3, the upload is aborted", arguments: TransferScenario.Setting.firefox)
        func refusedPart(setting: TransferScenario.Setting) async throws {
            try await TransferScenario.run(in: setting) { scenario in
                let error: Failed = try await scenario.run(
                    """
                    const { fetch } = window;
                    const refusal = { error: { code: 'forbidden', status: 403, detail: 'no rule allows it' } };
                    window.fetch = async (url, options) => {
                      const response = await fetch(url, options);
                      if (!String(url).endsWith('/batch')) return response;
                      const { requests } = JSON.parse(options.body), { results } = await response.json();
                      return Response.json({
                        results: results.map((result, index) => requests[index].partNumber === 3 ? refusal : result),
                      });
                    };
                    return failure(presign.upload(makeFile(100e6), { path: 'a' }));
                    """)
                #expect(error.code == "forbidden" && error.message == "no rule allows it", "\(error)")
                #expect(try await scenario.unfinishedUploads == 0)
                #expect(try await scenario.storedDigest("a") == nil)
                #expect(try await scenario.run("return (await presign.transfers()).length") == 0)
            }
        }

        @Test("A cancelled upload leaves nothing", arguments: Browser.Kind.atLeast(.chromium))
        func cancel(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await scenario.begin(size: 100_000_000, until: 20_000_000, sending: 5)
                let error: Failed = try await scenario.run(
                    "const error = failure(transfer); await transfer.cancel(); return error;")
                #expect(error.code == "AbortError", "\(error)")
                #expect(try await scenario.unfinishedUploads == 0)
                #expect(try await scenario.storedDigest("a") == nil)
            }
        }

        @Test("An existing object is reported before the file is sent", arguments: Browser.Kind.atLeast(.firefox))
        func existing(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                let error: Failed = try await scenario.run(
                    """
                    await presign.upload(makeFile(10), { path: 'a' });
                    \(TransferScenario.countingParts)
                    const error = await failure(presign.upload(makeFile(40e6), { path: 'a', overwrite: false }));
                    return { ...error, message: `${parts.sent} parts` };
                    """)
                #expect(error.code == "PreconditionFailed" && error.message == "0 parts", "\(error)")
                #expect(try await scenario.unfinishedUploads == 0)
            }
        }

        @Test(
            "A completion whose response is lost has succeeded if the object is there",
            arguments: Browser.Kind.atLeast(.chromium))
        func lostCompletion(kind: Browser.Kind) async throws {
            struct Lost: Decodable { let digest: String, isLost: Bool }
            try await TransferScenario.run(in: kind) { scenario in
                let found: Lost = try await scenario.run(
                    """
                    const { open, send } = XMLHttpRequest.prototype;
                    let isLost = false;
                    XMLHttpRequest.prototype.open = function (method, url) {
                      this.isCompletion = method === 'POST' && url.includes('uploadId=');
                      open.apply(this, arguments);
                    };
                    XMLHttpRequest.prototype.send = function () {
                      if (this.isCompletion && !isLost) {
                        isLost = true;
                        this.onload = () => this.onerror();
                      }
                      send.apply(this, arguments);
                    };
                    const file = makeFile(40e6);
                    await presign.upload(file, { path: 'a', overwrite: false });
                    return { digest: await digest(file), isLost };
                    """)
                #expect(try await scenario.storedDigest("a") == found.digest && found.isLost)
            }
        }

        @Test(
            "1,000 small files share six connections and one progress",
            arguments: TransferScenario.Setting.chromium)
        func manyFiles(setting: TransferScenario.Setting) async throws {
            struct Many: Decodable { let stored: Int, most: Int, last: [Int] }
            try await TransferScenario.run(in: setting) { scenario in
                let found: Many = try await scenario.run(
                    """
                    const files = Array.from({ length: 1000 }, (_, index) =>
                      new File([`content of file ${index}`], `${index}.txt`, { type: 'text/plain' }));
                    let now = 0, most = 0;
                    const { send } = XMLHttpRequest.prototype;
                    XMLHttpRequest.prototype.send = function () {
                      most = Math.max(most, now += 1);
                      this.addEventListener('readystatechange', () => { if (this.readyState === 4) now -= 1; });
                      send.apply(this, arguments);
                    };
                    const group = presign.uploadAll(files, { path: 'many' });
                    const results = await group;
                    const last = [group.progress.loaded, files.reduce((sum, { size }) => sum + size, 0)];
                    return { stored: results.filter(({ status }) => status === 'fulfilled').length, most, last };
                    """)
                #expect(found.stored == 1000, "\(found)")
                #expect(found.most == 6 && found.last[0] == found.last[1], "\(found)")
                for index in 0..<1000 {
                    #expect(try await scenario.stored("many/\(index).txt") == Data("content of file \(index)".utf8))
                }
            }
        }

        @Test("Files that are added later share the group's limit, also after a pause")
        func addedFiles() async throws {
            struct Added: Decodable { let paths: [String], most: Int }
            try await TransferScenario.run(in: .chromium) { scenario in
                let found: Added = try await scenario.run(
                    """
                    const files = (...names) => names.map((name) => new File([name], name));
                    const group = presign.uploadAll(files('a', 'b', 'c'), { path: 'first', concurrency: 2 });
                    group.pause();
                    group.add(files('d', 'e'), { path: 'second' });
                    let most = 0;
                    group.addEventListener('statechange', () => { most = Math.max(most, group.counts.uploading); });
                    group.resume();
                    return { paths: (await group).map(({ value }) => value.path), most };
                    """)
                #expect(found.paths == ["first/a", "first/b", "first/c", "second/d", "second/e"])
                #expect(found.most == 2)
            }
        }

        @Test(
            "A full disk at the storage is reported, and the upload is aborted",
            .enabled("needs root that may mount a small file system") { try await TransferScenario.mayMount },
            arguments: Browser.Kind.atLeast(.firefox))
        func fullDisk(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind, storageSize: "64m") { scenario in
                let error: Failed = try await scenario.run(
                    "return failure(presign.upload(makeFile(100e6), { path: 'a' }));")
                #expect(error.code == "InsufficientStorage", "\(error)")
                // The space is free again.
                let error2: Failed = try await scenario.run(
                    "return failure(presign.upload(makeFile(30e6), { path: 'b', multipart: false }));")
                #expect(error2.code == "none", "\(error2)")
            }
        }
    }
}
