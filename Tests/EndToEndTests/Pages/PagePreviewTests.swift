import Foundation
import Testing

extension Pages {
    @Suite("Files shown on the page")
    struct PagePreviewTests {
        private static let image =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5Er"
            + "kJggg=="
        /// Silence of 1 ms.
        private static let audio =
            Data("RIFF".utf8) + Data([44, 0, 0, 0]) + Data("WAVEfmt ".utf8)
            + Data([16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0])
            + Data("data".utf8) + Data([8, 0, 0, 0] + Array(repeating: 128, count: 8))
        private static let pdf = """
            %PDF-1.4
            1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
            2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
            3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
            trailer<</Root 1 0 R>>
            """
        private static let html = "<!doctype html><script>parent.ran = top.ran = window.ran = true</script>"
        private static let drawing = """
            <svg xmlns="http://www.w3.org/2000/svg" onload="parent.ran = true"><script>parent.ran = true</script></svg>
            """

        /// Opens a file by its name, and waits until it is shown, or its download is offered.
        private func open(_ name: String, _ scenario: PageScenario) async throws {
            try await scenario.browser.run(
                """
                document.querySelector('#preview').close();
                [...document.querySelectorAll('#entries .entry')]
                  .find((row) => row.querySelector('.path').textContent === '\(name)').querySelector('.open').click();
                """)
            try await scenario.browser.wait(until: "document.querySelector('#preview').open")
            try await scenario.browser.wait(until: Self.isSettled)
        }

        /// Whether the file is shown, or its download is offered.
        private static let isSettled = """
            document.querySelector('#preview-body').childElementCount > 0
            """

        /// The element that shows the file; `button` if it is a download; otherwise empty.
        private static let element = "return document.querySelector('#preview-body').firstElementChild?.localName ?? ''"

        private func element(_ scenario: PageScenario) async throws -> String {
            try await scenario.browser.evaluate(Self.element)
        }

        @Test("Images, audio, PDF and text are shown; arrows lead to the next file", arguments: Browser.Kind.allCases)
        func kinds(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                try await scenario.store(try #require(Data(base64Encoded: Self.image)), at: "work/a.png")
                try await scenario.store(Self.audio, at: "work/b.wav")
                try await scenario.store(Self.pdf, at: "work/c.pdf")
                try await scenario.store("One\n<b>two</b>\nשלום", at: "work/d.txt")
                try await scenario.store("x", at: "work/e.docx")
                try await scenario.open("folder=work")
                // What most visits do not need is not loaded.
                let isLoaded = "performance.getEntriesByType('resource').some(({ name }) => /preview/.test(name))"
                #expect(try await browser.evaluate("return \(isLoaded)") == false)
                try await open("a.png", scenario)
                #expect(try await browser.evaluate("return \(isLoaded)"))
                for (name, shown) in [
                    ("a.png", "img"), ("b.wav", "audio"), ("c.pdf", "iframe"), ("d.txt", "pre"), ("e.docx", "button"),
                ] {
                    try await browser.wait(
                        until:
                            "document.querySelector('#preview-title').textContent === '\(name)' && (\(Self.isSettled))")
                    #expect(try await element(scenario) == shown, "\(name)")
                    if name == "d.txt" {
                        #expect(try await scenario.text(in: "#preview pre") == "One\n<b>two</b>\nשלום")
                        try await browser.expectAccessible("preview-text")
                    }
                    // The frame of a PDF takes the keyboard when it is loaded.
                    if name == "c.pdf" {
                        try await browser.run("document.querySelector('#next').click()")
                    } else {
                        try await browser.run("document.querySelector('#next').focus()")
                        try await browser.press("\u{E014}")
                    }
                }
                // After the last file comes the first.
                try await browser.wait(
                    until: "document.querySelector('#preview-title').textContent === 'a.png' && (\(Self.isSettled))")
                #expect(try await scenario.text(in: "#preview-place") == "1 of 5")
                try await browser.expectAccessible("preview-image")
                try await browser.press("\u{E00C}")
                try await browser.wait(until: "!document.querySelector('#preview').open")
                try await browser.wait(until: "document.querySelector('#preview-body').childElementCount === 0")
            }
        }

        @Test(
            "Nothing of a hostile file runs, and only images, video and audio get a URL of the storage",
            arguments: Browser.Kind.atLeast(.chromium))
        func hostile(kind: Browser.Kind) async throws {
            // Chromium itself does not let an image be HTML.
            try await PageScenario.run(in: kind, complaints: ["BLOCKED_BY_ORB"]) { scenario in
                let browser = scenario.browser
                for (name, content) in [
                    ("page.html", Self.html), ("page.pdf", Self.html), ("page.png", Self.html),
                    ("page.mp4", Self.html), ("page.mp3", Self.html), ("drawing.svg", Self.drawing),
                    ("drawing.pdf", Self.drawing), ("drawing.png", Self.drawing), ("binary.txt", "a\0b"),
                ] {
                    // With the type that would make a browser run it.
                    let type = name.hasPrefix("drawing") ? "image/svg+xml" : "text/html"
                    let _: Bool = try await browser.evaluate(
                        """
                        return (async () => {
                          const { Presign } = await import('/presign.js');
                          const presign = new Presign({ endpoint: location.origin, apiKey: '\(scenario.key)' });
                          const file = new File([\(try javaScript(content))], '\(name)', { type: '\(type)' });
                          await presign.upload(file, { path: 'work/\(name)' });
                          return true;
                        })()
                        """)
                }
                try await scenario.open("folder=work")
                for (name, shown) in [
                    ("page.html", ["pre"]), ("page.pdf", ["button"]), ("page.png", ["button"]),
                    ("page.mp4", ["button"]), ("page.mp3", ["button"]), ("drawing.svg", ["pre"]),
                    ("drawing.pdf", ["button"]),
                    // As an image, a drawing has no scripts.
                    ("drawing.png", ["img", "button"]), ("binary.txt", ["button"]),
                ] {
                    try await open(name, scenario)
                    #expect(shown.contains(try await element(scenario)), "\(name)")
                    if shown == ["button"] {
                        #expect(try await scenario.text(in: "#preview-note").contains("You can download it."))
                    }
                    #expect(try await browser.evaluate("return window.ran === undefined"), "\(name)")
                    let frames: [String] = try await browser.evaluate(
                        "return [...document.querySelectorAll('iframe, object, embed')].map(({ src, data }) => src ?? data)"
                    )
                    #expect(frames == [], "\(name)")
                }
            }
        }

        @Test("A text of 1 GB is not fetched, or not to its end", arguments: Browser.Kind.atLeast(.firefox))
        func large(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                for name in ["endless.txt", "large.txt"] { try await scenario.store("x", at: "work/\(name)") }
                try await browser.run(
                    """
                    const { open } = XMLHttpRequest.prototype, { fetch } = window;
                    const text = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, 'responseText');
                    XMLHttpRequest.prototype.open = function (method, url) {
                      const get = () => text.get.call(this)
                        .replace(/(large\\.txt.*?<Size>)1</s, (_, start) => start + '1073741824<');
                      if (/list-type=2/.test(url)) Object.defineProperty(this, 'responseText', { get });
                      return open.call(this, method, url);
                    };
                    window.pieces = 0;
                    window.fetched = [];
                    window.fetch = (input, options) => {
                      fetched.push(String(input));
                      if (!/endless\\.txt/.test(input)) return fetch(input, options);
                      return Promise.resolve(new Response(new ReadableStream({
                        pull(controller) {
                          window.pieces += 1;
                          controller.enqueue(new Uint8Array(65536).fill(120));
                        },
                        cancel() { window.isCancelled = true; },
                      })));
                    };
                    location.hash = '#folder=work';
                    """)
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 2")
                for name in ["large.txt", "endless.txt"] {
                    try await open(name, scenario)
                    #expect(try await scenario.text(in: "#preview-note").hasPrefix("Files above 256 KiB of this type"))
                    #expect(try await element(scenario) == "button")
                }
                try await browser.wait(until: "window.isCancelled")
                #expect(try await browser.evaluate("return pieces < 20"))
                #expect(try await browser.evaluate("return fetched.some((url) => url.includes('large.txt'))") == false)
            }
        }

        private func javaScript(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        }
    }
}
