import Foundation
import Testing

extension BrowserTests {
    /// Each ends with exactly the file's bytes at the storage, or with a clear error and nothing unfinished there.
    @Suite("Transfers of presign.js")
    struct TransferTests {
        private struct Uploaded: Decodable {
            let digest: String
            var first: Int?
            var states: [String]?
            var parts: Int?
        }

        private struct Failed: Decodable { let code: String, message: String }

        @Test("300 MB are sent in parts, with progress and speed", arguments: Browser.Kind.allCases)
        func large(kind: Browser.Kind) async throws {
            struct Large: Decodable {
                let digest: String, etag: String, grows: Bool, last: [Int], hasSpeed: Bool, most: Int
            }
            try await TransferScenario.run(in: kind) { scenario in
                let found: Large = try await scenario.run(
                    """
                    \(Self.countingParts)
                    const file = makeFile(300e6), progress = [];
                    const { etag } = await presign.upload(file, { path: 'a', onProgress: (now) => progress.push(now) });
                    const loaded = progress.map((now) => now.loaded);
                    return {
                      digest: await digest(file), etag, most: parts.most,
                      grows: loaded.every((value, index) => index === 0 || value >= loaded[index - 1]),
                      last: [loaded.at(-1), progress.at(-1).total],
                      hasSpeed: progress.some(({ speed, secondsLeft }) => speed > 0 && secondsLeft > 0),
                    };
                    """)
                #expect(try await scenario.storedDigest("a") == found.digest)
                #expect(found.grows && found.last == [300_000_000, 300_000_000] && found.hasSpeed, "\(found)")
                #expect(found.etag.hasSuffix("-18\"") && found.most == 4, "\(found)")
                #expect(try scenario.unfinishedUploads == 0)
            }
        }

        /// Counts the requests that send a part.
        private static let countingParts = """
            const parts = window.parts ??= { sent: 0, now: 0, most: 0 };
            if (!parts.isInstalled) {
              parts.isInstalled = true;
              const { open, send } = XMLHttpRequest.prototype;
              XMLHttpRequest.prototype.open = function (method, url) {
                this.isPart = method === 'PUT' && url.includes('partNumber=');
                open.apply(this, arguments);
              };
              XMLHttpRequest.prototype.send = function () {
                if (this.isPart) {
                  parts.sent += 1;
                  parts.now += 1;
                  parts.most = Math.max(parts.most, parts.now);
                  this.addEventListener('loadend', () => { parts.now -= 1; });
                }
                send.apply(this, arguments);
              };
            }
            """

        @Test("An upload survives that service and storage crash and come back", arguments: Browser.Kind.allCases)
        func crash(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await Self.begin(scenario, size: 200_000_000, until: 40_000_000)
                await scenario.kill()
                // The page notices the loss and waits for the next attempt.
                try await scenario.browser.wait(until: "window.stages.at(-1) === 'pausing'")
                try await scenario.start()
                try await Self.expectStored(scenario)
            }
        }

        @Test("An upload survives that its connections are cut again and again", arguments: Browser.Kind.allCases)
        func cuts(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await Self.begin(scenario, size: 300_000_000, until: 1)
                for count in 1...3 {
                    try await scenario.browser.wait(until: "transfer.progress.loaded > \(count * 40_000_000)")
                    await scenario.kill()
                    try await scenario.start()
                }
                try await Self.expectStored(scenario)
            }
        }

        @Test("Without a network an upload waits for it", arguments: Browser.Kind.allCases)
        func offline(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await Self.begin(scenario, size: 200_000_000, until: 40_000_000)
                try await scenario.browser.setOffline(true)
                try await scenario.browser.wait(until: "transfer.state === 'offline'")
                try await scenario.browser.setOffline(false)
                try await Self.expectStored(scenario)
            }
        }

        @Test("A pause may be longer than the life of the URLs", arguments: Browser.Kind.allCases)
        func longPause(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await Self.begin(scenario, size: 120_000_000, until: 30_000_000, "expiresIn: 2")
                let paused: [Int] = try await scenario.run(
                    """
                    transfer.pause();
                    const before = transfer.progress.loaded;
                    // The URLs are valid for two seconds, which have to pass.
                    await new Promise((resolve) => setTimeout(resolve, 3000));
                    const after = transfer.progress.loaded;
                    transfer.resume();
                    return [before, after];
                    """)
                #expect(paused[0] == paused[1])
                try await Self.expectStored(scenario)
            }
        }

        @Test(
            "A reload in the middle of 12 parts continues with what the storage has", arguments: Browser.Kind.allCases)
        func reload(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await Self.begin(scenario, size: 200_000_000, until: 80_000_000)
                try await scenario.load()
                struct Continued: Decodable {
                    let digest: String, listed: Int, first: Int, sent: Int, left: Int, wrong: String
                }
                let found: Continued = try await scenario.run(
                    """
                    \(Self.countingParts)
                    const [unfinished] = await presign.transfers();
                    const wrong = await failure((async () => unfinished.resume(makeFile(199e6)))());
                    const file = makeFile(200e6), progress = [];
                    await unfinished.resume(file, { onProgress: ({ loaded }) => progress.push(loaded) });
                    return {
                      digest: await digest(file), listed: unfinished.loaded, first: progress[0], sent: parts.sent,
                      left: (await presign.transfers()).length, wrong: wrong.code,
                    };
                    """)
                #expect(try await scenario.storedDigest("a") == found.digest)
                let kept = found.first / (16 << 20)
                #expect(kept >= 1 && found.first >= found.listed && found.sent == 12 - kept, "\(found)")
                #expect(found.left == 0 && found.wrong == "FileChanged", "\(found)")
                #expect(try scenario.unfinishedUploads == 0)
            }
        }

        @Test("A second tab does not send the same file at the same time", arguments: Browser.Kind.allCases)
        func twoTabs(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await Self.begin(scenario, size: 200_000_000, until: 40_000_000)
                let _: Bool = try await scenario.run("transfer.pause(); return true;")
                let first = try await scenario.browser.tab
                try await scenario.browser.openTab()
                try await scenario.load()
                struct Second: Decodable { let error: Failed, listed: Int }
                let second: Second = try await scenario.run(
                    """
                    const listed = (await presign.transfers()).length;
                    return { error: await failure(presign.upload(makeFile(200e6), { path: 'a' })), listed };
                    """)
                #expect(second.error.code == "TransferActive" && second.listed == 0, "\(second)")
                try await scenario.browser.switchTo(first)
                let _: Bool = try await scenario.run("transfer.resume(); return true;")
                try await Self.expectStored(scenario)
            }
        }

        @Test("If the service refuses part 3, the upload is aborted", arguments: Browser.Kind.allCases)
        func refusedPart(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
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
                #expect(try scenario.unfinishedUploads == 0)
                #expect(try await scenario.storedDigest("a") == nil)
                #expect(try await scenario.run("return (await presign.transfers()).length") == 0)
            }
        }

        @Test("A cancelled upload leaves nothing", arguments: Browser.Kind.allCases)
        func cancel(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await Self.begin(scenario, size: 100_000_000, until: 30_000_000)
                let error: Failed = try await scenario.run(
                    "const error = failure(transfer); await transfer.cancel(); return error;")
                #expect(error.code == "AbortError", "\(error)")
                #expect(try scenario.unfinishedUploads == 0)
                #expect(try await scenario.storedDigest("a") == nil)
            }
        }

        @Test("An existing object is reported before the file is sent", arguments: Browser.Kind.allCases)
        func existing(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                let error: Failed = try await scenario.run(
                    """
                    await presign.upload(makeFile(10), { path: 'a' });
                    \(Self.countingParts)
                    const error = await failure(presign.upload(makeFile(40e6), { path: 'a', overwrite: false }));
                    return { ...error, message: `${parts.sent} parts` };
                    """)
                #expect(error.code == "PreconditionFailed" && error.message == "0 parts", "\(error)")
                #expect(try scenario.unfinishedUploads == 0)
            }
        }

        @Test(
            "A completion whose response is lost has succeeded if the object is there",
            arguments: Browser.Kind.allCases)
        func lostCompletion(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                let found: Uploaded = try await scenario.run(
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
                    return { digest: await digest(file), states: [String(isLost)] };
                    """)
                #expect(try await scenario.storedDigest("a") == found.digest && found.states == ["true"])
            }
        }

        @Test("1,000 small files share four connections and one progress", arguments: Browser.Kind.allCases)
        func manyFiles(kind: Browser.Kind) async throws {
            struct Many: Decodable { let stored: Int, same: Int, most: Int, last: [Int] }
            try await TransferScenario.run(in: kind) { scenario in
                let found: Many = try await scenario.run(
                    """
                    const files = Array.from({ length: 1000 }, (_, index) =>
                      new File([`content of file ${index}`], `${index}.txt`, { type: 'text/plain' }));
                    let now = 0, most = 0;
                    const { send } = XMLHttpRequest.prototype;
                    XMLHttpRequest.prototype.send = function () {
                      most = Math.max(most, now += 1);
                      this.addEventListener('loadend', () => { now -= 1; });
                      send.apply(this, arguments);
                    };
                    const group = presign.uploadAll(files, { path: 'many' });
                    const results = await group;
                    const last = [group.progress.loaded, files.reduce((sum, { size }) => sum + size, 0)];
                    let same = 0;
                    const check = async (file) => {
                      const stored = await presign.download(`many/${file.name}`);
                      if (await stored.text() === await file.text()) same += 1;
                    };
                    while (files.length > 0) await Promise.all(files.splice(0, 50).map(check));
                    return { stored: results.filter(({ status }) => status === 'fulfilled').length, same, most, last };
                    """)
                #expect(found.stored == 1000 && found.same == 1000, "\(found)")
                #expect(found.most == 4 && found.last[0] == found.last[1], "\(found)")
            }
        }

        @Test(
            "A full disk at the storage is reported, and the upload is aborted",
            .enabled("needs root that may mount a small file system") { try await TransferScenario.mayMount },
            arguments: Browser.Kind.allCases)
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

        /// Starts an upload to `a` as `transfer` of the page, and waits for progress.
        private static func begin(
            _ scenario: TransferScenario, size: Int, until loaded: Int, _ options: String = ""
        ) async throws {
            let _: Bool = try await scenario.run(
                """
                window.file = makeFile(\(size));
                window.stages = [];
                const onStage = (stage) => stages.push(stage);
                window.transfer = presign.upload(file, { path: 'a', onStage, \(options) });
                await reaches(transfer, \(loaded));
                return true;
                """)
        }

        /// Waits for the end of `transfer` and compares the object with the file.
        private static func expectStored(_ scenario: TransferScenario) async throws {
            let found: Uploaded = try await scenario.run("await transfer; return { digest: await digest(file) };")
            #expect(try await scenario.storedDigest("a") == found.digest)
            #expect(try scenario.unfinishedUploads == 0)
        }
    }
}

extension TransferScenario {
    /// Whether mounting is allowed; root in a container often lacks the permission.
    fileprivate static var mayMount: Bool {
        get async throws {
            let trial = ["--mount", "/bin/mount", "-t", "tmpfs", "presign", "/tmp"]
            guard geteuid() == 0 else { return false }
            return try await Command.run("/usr/bin/unshare", trial).status == 0
        }
    }
}
