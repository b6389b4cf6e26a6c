import Foundation
import Testing

extension Transfers {
    /// Each ends with exactly the file's bytes at the storage, or with a clear error and nothing unfinished there.
    @Suite("Transfers of presign.js")
    struct TransferTests {
        @Test(
            "300 MiB are sent in parts of 5 MiB, with progress", arguments: TransferScenario.Setting.chromium)
        func large(setting: TransferScenario.Setting) async throws {
            struct Large: Decodable { let etag: String, grows: Bool, last: [Int], most: Int }
            try await TransferScenario.run(in: setting) { scenario in
                let digest = try await scenario.choose(mebibytes: 300)
                let found: Large = try await scenario.run(
                    """
                    \(TransferScenario.countingParts)
                    const progress = [];
                    const { etag } = await presign.upload(
                      chosenFile, { path: 'a', onProgress: (now) => progress.push(now) });
                    const loaded = progress.map((now) => now.loaded);
                    return {
                      etag, most: parts.most,
                      grows: loaded.every((value, index) => index === 0 || value >= loaded[index - 1]),
                      last: [loaded.at(-1), progress.at(-1).total],
                    };
                    """)
                #expect(try await scenario.storedDigest("a") == digest)
                #expect(found.grows && found.last == [300 << 20, 300 << 20], "\(found)")
                #expect(found.etag.hasSuffix("-60\"") && found.most == 6, "\(found)")
                #expect(try await scenario.unfinishedUploads == 0)
            }
        }

        @Test(
            "An upload survives that the storage, locally also the service, crashes and comes back",
            arguments: TransferScenario.Setting.present)
        func crash(setting: TransferScenario.Setting) async throws {
            try await TransferScenario.run(in: setting) { scenario in
                try await scenario.begin(size: 102_000_000, until: 20_000_000, sending: 11)
                await scenario.kill()
                try await scenario.browser.releaseUploads()
                // The page notices the loss and waits for the next attempt.
                try await scenario.browser.wait(until: "window.stages.at(-1) === 'pausing'")
                try await scenario.start()
                try await scenario.expectStored()
            }
        }

        @Test(
            "An upload survives that its connections are cut again and again",
            arguments: Browser.Kind.atLeast(.firefox))
        func cuts(kind: Browser.Kind) async throws {
            try await TransferScenario.run(in: kind) { scenario in
                try await scenario.begin(size: 108_000_000, until: 1, sending: 1000)
                for count in 1...3 {
                    try await scenario.browser.wait(until: "transfer.progress.loaded > \(count * 20_000_000)")
                    await scenario.kill()
                    try await scenario.start()
                }
                try await scenario.expectStored()
            }
        }

        @Test("Without a network an upload waits for it", arguments: TransferScenario.Setting.chromium)
        func offline(setting: TransferScenario.Setting) async throws {
            try await TransferScenario.run(in: setting) { scenario in
                try await scenario.begin(size: 102_000_000, until: 20_000_000, sending: 11)
                try await scenario.browser.setOffline(true)
                try await scenario.browser.releaseUploads()
                try await scenario.browser.wait(until: "transfer.state === 'offline'")
                try await scenario.browser.setOffline(false)
                try await scenario.expectStored()
            }
        }

        @Test(
            "A pause may be longer than the life of the URLs", arguments: TransferScenario.Setting.firefox)
        func longPause(setting: TransferScenario.Setting) async throws {
            try await TransferScenario.run(in: setting) { scenario in
                try await scenario.begin(size: 102_000_000, until: 20_000_000, sending: 11, "expiresIn: 2")
                let paused: [Int] = try await scenario.run(
                    """
                    transfer.pause();
                    await becomes(transfer, 'paused');
                    const before = transfer.progress.loaded;
                    // The URLs are valid for two seconds, which have to pass.
                    await new Promise((resolve) => setTimeout(resolve, 3000));
                    return [before, transfer.progress.loaded];
                    """)
                #expect(paused[0] == paused[1] && paused[0] % (5 << 20) == 0, "\(paused)")
                try await scenario.browser.releaseUploads()
                let _: Bool = try await scenario.run("transfer.resume(); return true;")
                try await scenario.expectStored()
            }
        }

        @Test(
            "Each part whose URL has ended gets a new one", arguments: TransferScenario.Setting.chromium)
        func endedURLs(setting: TransferScenario.Setting) async throws {
            struct Renewed: Decodable { let digest: String, late: [String] }
            try await TransferScenario.run(in: setting) { scenario in
                let found: Renewed = try await scenario.run(
                    """
                    const { open, send } = XMLHttpRequest.prototype, late = [];
                    XMLHttpRequest.prototype.open = function (method, url) {
                      this.part = /partNumber=([0-9]+)/.exec(url)?.[1];
                      open.apply(this, arguments);
                    };
                    XMLHttpRequest.prototype.send = function (body) {
                      if (!this.part || late.includes(this.part)) return send.call(this, body);
                      late.push(this.part);
                      // The URL is valid for a second, and must have ended when the request arrives.
                      setTimeout(() => send.call(this, body), 2500);
                    };
                    const file = makeFile(31e6);
                    await presign.upload(file, { path: 'a', expiresIn: 1 });
                    return { digest: await digest(file), late: late.sort() };
                    """)
                #expect(found.late == ["1", "2", "3", "4", "5", "6"])
                #expect(try await scenario.storedDigest("a") == found.digest)
                #expect(try await scenario.unfinishedUploads == 0)
            }
        }

        @Test(
            "A reload in the middle of 12 parts continues with what the storage has",
            arguments: TransferScenario.Setting.chromium)
        func reload(setting: TransferScenario.Setting) async throws {
            try await TransferScenario.run(in: setting) { scenario in
                let _: Bool = try await scenario.run("\(TransferScenario.countingParts); return true;")
                try await scenario.begin(size: 60 << 20, until: 1, sending: 6)
                try await scenario.browser.wait(until: "parts.stored === 6")
                try await scenario.load()
                struct Continued: Decodable {
                    let digest: String, listed: Int, first: Int, sent: Int, left: Int, wrong: String
                }
                let found: Continued = try await scenario.run(
                    """
                    \(TransferScenario.countingParts)
                    const [unfinished] = await presign.transfers();
                    const wrong = await failure((async () => unfinished.resume(makeFile(9)))());
                    const file = makeFile(60 << 20), progress = [];
                    await unfinished.resume(file, { onProgress: ({ loaded }) => progress.push(loaded) });
                    return {
                      digest: await digest(file), listed: unfinished.loaded, first: progress[0], sent: parts.sent,
                      left: (await presign.transfers()).length, wrong: wrong.code,
                    };
                    """)
                #expect(try await scenario.storedDigest("a") == found.digest)
                #expect(found.first == 30 << 20 && found.first >= found.listed && found.sent == 6, "\(found)")
                #expect(found.left == 0 && found.wrong == "FileChanged", "\(found)")
                #expect(try await scenario.unfinishedUploads == 0)
            }
        }

        @Test(
            "A second tab does not send the same file at the same time",
            arguments: TransferScenario.Setting.firefox)
        func twoTabs(setting: TransferScenario.Setting) async throws {
            try await TransferScenario.run(in: setting) { scenario in
                try await scenario.begin(size: 60_000_000, until: 10_000_000, sending: 5)
                let _: Bool = try await scenario.run("transfer.pause(); return true;")
                let first = try await scenario.browser.tab
                try await scenario.browser.openTab()
                try await scenario.load()
                struct Second: Decodable { let error: TransferScenario.Failed, listed: Int }
                let second: Second = try await scenario.run(
                    """
                    const listed = (await presign.transfers()).length;
                    return { error: await failure(presign.upload(makeFile(60e6), { path: 'a' })), listed };
                    """)
                #expect(second.error.code == "TransferActive" && second.listed == 0, "\(second)")
                try await scenario.browser.switchTo(first)
                try await scenario.browser.releaseUploads()
                let _: Bool = try await scenario.run("transfer.resume(); return true;")
                try await scenario.expectStored()
            }
        }
    }
}
