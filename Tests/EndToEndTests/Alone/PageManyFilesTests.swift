import Foundation
import Testing

extension Alone {
    @Suite("Thousands of files on the page", .browser, .sharedBrowsers)
    struct PageManyFilesTests {
        @Test(
            "Of 5,000 listed files only those near the visible part have rows; scrolling and arrow keys reach all",
            arguments: Browser.Kind.atLeast(.firefox))
        func listing(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                try await browser.run(Self.watchFrames)
                try await browser.run(Self.list)
                try await browser.wait(until: "document.querySelector('#listing-title').textContent === '5,000 files'")
                #expect(try await count("#entries .entry", browser) < 100)
                let longest: Double = try await browser.evaluate("return window.longest")
                #expect(longest < 500)
                print("5,000 listed files: longest frame \(longest) ms")
                let stops: Int = try await browser.evaluate(Self.tabStops)
                #expect(stops < 30)
                try await browser.expectAccessible("5000-listed")
                try await browser.run("scrollTo(0, document.body.scrollHeight)")
                try await browser.wait(until: Self.isVisible("file-4999.txt"))
                try await browser.run("document.querySelector('#entries [data-action=link]').focus()")
                for (key, label) in [
                    ("\u{E011}", "Link file-0.txt"), ("\u{E015}", "Link file-1.txt"), ("\u{E013}", "Link file-0.txt"),
                    ("\u{E010}", "Link file-4999.txt"),
                ] {
                    try await browser.press(key)
                    try await browser.wait(until: "document.activeElement.getAttribute('aria-label') === '\(label)'")
                }
                try await browser.wait(until: Self.isVisible("file-4999.txt"))
                let place: [String?] = try await browser.evaluate(
                    "const row = document.activeElement.closest('li'); return [row.ariaPosInSet, row.ariaSetSize]")
                #expect(place == ["5000", "5000"])
                #expect(try await count("#entries .entry", browser) < 100)
            }
        }

        private func count(_ selector: String, _ browser: Browser) async throws -> Int {
            try await browser.evaluate("return document.querySelectorAll('\(selector)').length")
        }

        /// Records the longest time between two frames, in milliseconds.
        private static let watchFrames = """
            window.longest = 0;
            let last = performance.now();
            (function watch() {
              const now = performance.now();
              window.longest = Math.max(window.longest, now - last);
              last = now;
              requestAnimationFrame(watch);
            })();
            """

        /// Starts the record anew, after the frame that is drawn now.
        private static let forgetFrames = """
            return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => {
              window.longest = 0;
              resolve(true);
            })))
            """

        /// Opens a folder whose listing has 5,000 files.
        private static let list = """
            const files = Array.from({ length: 5000 }, (_, index) => `<Contents><Key>long/file-${index}.txt</Key>` +
              `<Size>${index}</Size><LastModified>2026-11-24T10:00:00.000Z</LastModified></Contents>`);
            const text = `<ListBucketResult><Prefix>long/</Prefix>${files.join('')}</ListBucketResult>`;
            const { open } = XMLHttpRequest.prototype;
            XMLHttpRequest.prototype.open = function (method, url) {
              if (/list-type=2/.test(url)) Object.defineProperty(this, 'responseText', { get: () => text });
              return open.call(this, method, url);
            };
            location.hash = '#folder=long';
            """

        private static let tabStops = """
            return [...document.querySelectorAll('a[href], button, input, summary')]
              .filter((control) => control.tabIndex >= 0 && control.checkVisibility()).length
            """

        private static func isVisible(_ name: String) -> String {
            """
            [...document.querySelectorAll('#entries .entry')].some((row) => {
              const { top, bottom } = row.getBoundingClientRect();
              return row.querySelector('.path').textContent === '\(name)' && top >= 0 && bottom <= innerHeight;
            })
            """
        }

        @Test(
            "1,000 files move without blocking the page, hardly slower than without it",
            arguments: Browser.Kind.atLeast(.chromium))
        func uploads(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "key=%&folder=many", complaints: ["beforeunload"]) {
                scenario in
                let browser = scenario.browser
                let library: Double = try await browser.evaluate(
                    """
                    return (async () => {
                      const { Presign } = await import('/presign.js');
                      const presign = new Presign({ endpoint: location.origin, apiKey: '\(scenario.key)' });
                      const files = Array.from({ length: 100 }, (_, index) => new File(['abc'], `${index}.txt`));
                      const start = performance.now();
                      await presign.uploadAll(files, { path: 'library', overwrite: false });
                      return performance.now() - start;
                    })()
                    """)
                try await scenario.browser.holdUploads()
                try await browser.run(Self.watchFrames)
                try await browser.run(
                    Pages.PageUploadTests.drop.replacing(
                        "dataTransfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));",
                        with: "for (let index = 0; index < 1000; index += 1) "
                            + "dataTransfer.items.add(new File(['abc'], `${index}.txt`));"))
                try await browser.wait(until: Self.hasSummary("Uploading, 0 of 1,000 files done"))
                #expect(try await count("#list .file", browser) < 100)
                try await browser.expectAccessible("1000-moving")
                // The check of accessibility blocks the page itself.
                let _: Bool = try await browser.evaluate(Self.forgetFrames)
                let start = ContinuousClock.now
                try await scenario.browser.releaseUploads(100)
                try await browser.wait(until: Self.hasSummary("Uploading, 100 of 1,000 files done"))
                let time = Double((ContinuousClock.now - start) / .milliseconds(1))
                #expect(time < 2 * library + 1000, "the library alone takes \(library) ms")
                let longest: Double = try await browser.evaluate("return window.longest")
                #expect(longest < 1000)
                print("100 of 1,000 files: \(time) ms, presign.js alone \(library) ms, longest frame \(longest) ms")
                try await browser.click("#cancel")
                try await browser.wait(until: Self.hasSummary("100 files uploaded, 900 cancelled"))
            }
        }

        private static func hasSummary(_ text: String) -> String {
            "document.querySelector('#summary').textContent === '\(text)'"
        }

        @Test(
            "A search loads further pages and says how many names it searched",
            arguments: Browser.Kind.atLeast(.firefox))
        func search(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                for index in 10..<32 { try await scenario.store("x", at: "long/file-\(index).txt") }
                try await browser.run(Self.smallPages)
                try await browser.wait(until: Self.hasTitle("10 files, more exist"))
                try await browser.type("31", into: "#filter")
                try await browser.wait(until: Self.hasTitle("1 of 22 names"))
                #expect(try await count("#entries .entry", browser) == 1)
                #expect(try await scenario.isVisible("#more") == false)
                try await browser.type("0", into: "#filter")
                try await browser.wait(
                    until:
                        "document.querySelector('#listing-note').innerText.includes('None of 22 names contains “310”.')"
                )
                try await browser.expectAccessible("nothing-found")
            }
        }

        /// Makes the listing's pages small, and opens the folder `long`.
        static let smallPages = """
            const { fetch } = window;
            window.fetch = (input, options) =>
              fetch(input, { ...options, body: options?.body?.replace(/"maxKeys":\\d+/, '"maxKeys":10') });
            location.hash = '#folder=long';
            """

        private static func hasTitle(_ text: String) -> String {
            "document.querySelector('#listing-title').textContent === '\(text)'"
        }
    }
}
