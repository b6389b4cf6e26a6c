import Foundation
import Testing

extension Pages {
    @Suite("Interrupted uploads on the page")
    struct PageConnectionTests {
        @Test(
            "If the bucket's CORS rules do not name the page, it says what the operator must add",
            arguments: Browser.Kind.atLeast(.firefox))
        func blocked(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "", proxy: false) { scenario in
                let browser = scenario.browser
                // As a browser does it, the storage responds, but the script gets an error.
                try await browser.run(
                    """
                    const { open, send } = XMLHttpRequest.prototype;
                    XMLHttpRequest.prototype.open = function (method, url) {
                      this.isList = url.includes('list-type=2');
                      return open.call(this, method, url);
                    };
                    XMLHttpRequest.prototype.send = function (body) {
                      if (this.isList) queueMicrotask(() => this.dispatchEvent(new ProgressEvent('error')));
                      else send.call(this, body);
                    };
                    """)
                try await browser.type(scenario.key + "\u{E007}", into: "#key")
                try await browser.wait(until: Self.note("The storage does not answer this page."))
                #expect(
                    try await scenario.text(in: "#listing-note").contains(
                        "The operator must add \(scenario.origin) to the bucket's CORS rules."))
                #expect(try await scenario.isVisible("#reload"))
            }
        }

        @Test(
            "Offline, uploads wait and say so; online, they continue by themselves",
            arguments: Browser.Kind.atLeast(.chromium))
        func offline(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, complaints: ["ERR_INTERNET_DISCONNECTED", "404"]) { scenario in
                let browser = scenario.browser
                let file = try scenario.file("a.bin", count: 400_000)
                try await browser.setOffline(true)
                try await browser.choose([file])
                try await scenario.wait(for: "offline", of: "a.bin")
                #expect(try await scenario.text(of: "a.bin").contains("Offline"))
                #expect(try await scenario.text(in: "#summary").contains("Waiting for the network"))
                try await browser.expectAccessible("offline")
                try await browser.setOffline(false)
                try await scenario.wait(for: "done", of: "a.bin")
                #expect(try await scenario.stored("a.bin") == Data(contentsOf: file))
            }
        }

        @Test(
            "A row says that its request is repeated until bytes move again",
            arguments: Browser.Kind.atLeast(.firefox))
        func retrying(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, complaints: ["404"]) { scenario in
                let browser = scenario.browser
                // With a storage that has succeeded before, a request is repeated until it succeeds.
                try await browser.choose([try scenario.file("b.bin")])
                try await scenario.wait(for: "done", of: "b.bin")
                try await browser.run(Self.silentStorage)
                try await browser.choose([try scenario.file("a.bin", count: 100_000)])
                try await browser.wait(until: "window.attempts >= 3")
                let words: [String] = try await browser.evaluate(
                    "return [...new Set(words.slice(words.indexOf('Retrying')))]")
                #expect(words == ["Retrying"])
                #expect(try await scenario.text(in: "#summary").contains("Trying again"))
                #expect(try await scenario.text(in: "#pace").contains("left") == false)
                try await browser.expectAccessible("retrying")
                try await browser.run("window.attempts = -Infinity")
                try await scenario.wait(for: "done", of: "a.bin")
            }
        }

        /// The storage does not respond to uploads, after a moment without a byte. Records what the row says.
        private static let silentStorage = """
            window.attempts = 0;
            window.words = [];
            const { send } = XMLHttpRequest.prototype;
            XMLHttpRequest.prototype.send = function (body) {
              if (window.attempts < 0 || !(body instanceof Blob)) return send.call(this, body);
              window.attempts += 1;
              setTimeout(() => this.dispatchEvent(new ProgressEvent('error')), 200);
            };
            (function look() {
              const word = document.querySelector('#list .state')?.textContent;
              if (word && words.at(-1) !== word) words.push(word);
              requestAnimationFrame(look);
            })();
            """

        @Test(
            "A folder that waits for the network or the server says so, and is then listed",
            arguments: Browser.Kind.atLeast(.chromium))
        func waitingFolder(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, complaints: ["ERR_INTERNET_DISCONNECTED"]) { scenario in
                let browser = scenario.browser
                try await scenario.store("x", at: "work/a.txt")
                try await browser.setOffline(true)
                try await browser.run("location.hash = '#folder=work'")
                try await browser.wait(until: Self.note("You are offline. This folder is loaded when"))
                try await browser.setOffline(false)
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 1")
                try await browser.run(
                    "window.untouched = fetch; window.fetch = () => Promise.reject(new TypeError('down'))")
                try await browser.click("#refresh")
                try await browser.wait(until: Self.note("The server is not available. Trying again"))
                // The files that were listed stay.
                #expect(
                    try await browser.evaluate(
                        "return document.querySelectorAll('#entries .entry').length", as: Int.self) == 1)
                try await browser.run("window.fetch = untouched")
                try await browser.wait(until: "document.querySelector('#listing-note').checkVisibility() === false")
            }
        }

        @Test("Signing in that waits for the network says so", arguments: Browser.Kind.atLeast(.firefox))
        func waitingSignIn(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "", complaints: ["401", "ERR_INTERNET_DISCONNECTED"]) {
                scenario in
                let browser = scenario.browser
                try await browser.wait(until: "document.querySelector('#key').checkVisibility()")
                try await browser.setOffline(true)
                try await browser.type(scenario.key + "\u{E007}", into: "#key")
                try await browser.wait(until: Self.note("You are offline."))
                try await browser.setOffline(false)
                try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
            }
        }

        private static func note(_ text: String) -> String {
            "document.querySelector('#listing-note').innerText.includes('\(text)')"
        }

        @Test("Offline after the last byte, a row does not claim to finish")
        func offlineAtTheEnd() async throws {
            try await PageScenario.run { scenario in
                for (isOnline, word) in [(true, "Finishing"), (false, "Offline")] {
                    let view: [String] = try await scenario.browser.evaluate(Self.sentItem(isOnline: isOnline))
                    #expect(view[0] == word && view[1].contains("left") == false, "\(view)")
                }
            }
        }

        /// Shows an upload whose bytes are all sent, with a speed from before.
        private static func sentItem(isOnline: Bool) -> String {
            """
            return import(new URL('state.js', document.querySelector('script[type=module]').src))
              .then(async ({ state, update }) => {
                Object.defineProperty(navigator, 'onLine', { value: \(isOnline), configurable: true });
                const transfer = { progress: { loaded: 9, speed: 9 } };
                state.items = [{ path: 'a', name: 'a', size: 9, loaded: 9, state: 'uploading', transfer }];
                update();
                await new Promise((resolve) => setTimeout(resolve, 100));
                return ['#list .state', '#pace'].map((selector) => document.querySelector(selector).textContent);
              })
            """
        }

        @Test(
            "A server that does not respond is told apart from a missing network",
            arguments: [(true, "The server does not respond."), (false, "You are offline.")])
        func reason(isOnline: Bool, expected: String) async throws {
            try await PageScenario.run { scenario in
                let text: String = try await scenario.browser.evaluate(
                    """
                    Object.defineProperty(navigator, 'onLine', { value: \(isOnline) });
                    return import('/page/words.js')
                      .then(({ reason }) => reason({ source: 'network', status: 0, code: 'NetworkError' }))
                    """)
                #expect(text.hasPrefix(expected))
            }
        }

        /// Waits until a part is recorded as stored, which follows its last byte.
        private static let awaitRecordedPart = """
            return (async () => {
              const result = (request) =>
                new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
              const database = await result(indexedDB.open('presign-transfers', 1));
              const parts = () => database.transaction('parts').objectStore('parts');
              while (await result(parts().count()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
              database.close();
            })()
            """

        @Test(
            "After a reload, an interrupted upload continues with the same file, and no other",
            arguments: Browser.Kind.atLeast(.chromium))
        func reload(kind: Browser.Kind) async throws {
            try await PageScenario.run(
                in: kind, fragment: "key=%&folder=films", complaints: ["beforeunload", "404"]
            ) { scenario in
                let browser = scenario.browser
                let film = try scenario.file("film.mp4", count: 40_000_000)
                try await scenario.browser.holdUploads()
                try await browser.choose([film])
                try await browser.wait(until: "gate.held.length === 6")
                try await scenario.browser.releaseUploads(1)
                try await browser.wait(
                    until: "/^13 %/.test(\(scenario.row("films/film.mp4")).querySelector('.state').textContent)")
                try await browser.run(Self.awaitRecordedPart)
                try await scenario.open("folder=films")
                try await scenario.wait(for: "interrupted", of: "films/film.mp4")
                let text = try await scenario.text(of: "films/film.mp4")
                #expect(text.contains("Interrupted at 13"), "\(text)")
                #expect(try await scenario.actions(of: "films/film.mp4") == ["choose", "remove"])
                try await browser.expectAccessible("interrupted")
                try await scenario.browser.holdUploads()
                try await scenario.browser.releaseUploads()
                // A driver cannot operate the system's dialog.
                try await browser.run(
                    "document.querySelector('#files').addEventListener('click', (event) => event.preventDefault())")
                try await scenario.click("choose", of: "films/film.mp4")
                try await browser.choose([try scenario.file("film.mp4")])
                try await browser.wait(
                    until: "\(scenario.row("films/film.mp4")).innerText.includes('is not the interrupted version')")
                try await browser.choose([film])
                try await scenario.wait(for: "done", of: "films/film.mp4")
                #expect(try await scenario.browser.sentParts == Array(2...8))
                #expect(try await scenario.stored("films/film.mp4") == Data(contentsOf: film))
            }
        }

        @Test("An interrupted upload can be removed, with its parts")
        func removeInterrupted() async throws {
            try await PageScenario.run(complaints: ["beforeunload", "404"]) { scenario in
                let browser = scenario.browser
                try await scenario.browser.holdUploads()
                try await browser.choose([try scenario.file("film.mp4", count: 20_000_000)])
                try await browser.wait(until: "gate.held.length === 4")
                try await scenario.open("")
                try await scenario.wait(for: "interrupted", of: "film.mp4")
                try await scenario.click("remove", of: "film.mp4")
                try await browser.wait(until: "document.querySelectorAll('#list .file').length === 0")
                try await scenario.open("")
                try await browser.wait(until: "document.querySelector('#listing').ariaBusy === 'false'")
                let unfinished: Int = try await browser.evaluate(
                    """
                    return import(new URL('library.js', document.querySelector('script[type=module]').src))
                      .then(async ({ presign }) => (await presign.transfers()).length)
                    """)
                #expect(unfinished == 0)
                #expect(try await scenario.isVisible("#uploads") == false)
            }
        }
    }
}
