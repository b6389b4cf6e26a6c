import Foundation
import Testing

extension BrowserTests {
    @Suite("The upload page")
    struct UploadPageTests {
        @Test("At most three files upload at once, with progress, and their links download them")
        func severalFiles() async throws {
            try await PageScenario.run { scenario in
                let names = ["a.bin", "b.bin", "c.bin", "d.bin"]
                let files = try names.map { try scenario.file($0, count: 400_000) }
                try await scenario.browser.run(Self.recorder)
                try await scenario.browser.limitUploads(to: 600_000)
                try await scenario.browser.choose(files)
                try await scenario.browser.wait(until: "document.querySelectorAll('[data-state=done]').length === 4")
                let record: Record = try await scenario.browser.evaluate("return record")
                for name in names {
                    let values = try #require(record.values[name])
                    #expect(values.contains { $0 > 0 && $0 < 1 }, "no progress between 0 and 100 %: \(values)")
                    #expect(values == values.sorted(), "progress decreased: \(values)")
                }
                #expect(record.mostAtOnce == 3)
                #expect(
                    record.numbers.contains { $0.contains(/^\d+ % [\d.]+ (k|M)B\/s · \d+ s left$/) },
                    "\(record.numbers)")
                #expect(record.heights.count == 1, "a row's height changed during the upload: \(record.heights)")
                for (name, file) in zip(names, files) {
                    #expect(try await scenario.downloads(name, as: Data(contentsOf: file)), "\(name)")
                }
            }
        }

        private struct Record: Decodable {
            let values: [String: [Double]]
            let numbers: [String]
            let heights: [Int]
            let mostAtOnce: Int
        }

        /// Records every change of every row.
        private static let recorder = """
            window.record = { values: {}, numbers: [], heights: [], mostAtOnce: 0 };
            const note = () => {
              const rows = [...document.querySelectorAll('.file')];
              record.mostAtOnce = Math.max(record.mostAtOnce, rows.filter((row) => /signing|uploading/.test(row.dataset.state)).length);
              for (const row of rows) {
                const values = record.values[row.querySelector('.path').textContent] ??= [0];
                const value = row.querySelector('progress').value;
                if (values.at(-1) !== value) values.push(value);
                if (!record.heights.includes(row.offsetHeight)) record.heights.push(row.offsetHeight);
                const numbers = `${row.querySelector('.percent').textContent} ${row.querySelector('.pace').textContent}`;
                if (record.numbers.at(-1) !== numbers) record.numbers.push(numbers);
              }
            };
            new MutationObserver(note).observe(document.getElementById('list'), { subtree: true, childList: true, attributes: true })
            """

        @Test("A cancelled upload succeeds when it is retried")
        func cancelAndRetry() async throws {
            try await PageScenario.run { scenario in
                let file = try scenario.file("film.mp4", count: 2_000_000)
                try await scenario.browser.run(
                    """
                    window.ended = [];
                    const send = XMLHttpRequest.prototype.send;
                    XMLHttpRequest.prototype.send = function (body) {
                      this.addEventListener('loadend', () => ended.push(this.status));
                      send.call(this, body);
                    }
                    """)
                try await scenario.browser.limitUploads(to: 400_000)
                try await scenario.browser.choose([file])
                try await scenario.browser.wait(until: "document.querySelector('progress')?.value > 0.1")
                try await scenario.click("cancel", of: "film.mp4")
                try await scenario.wait(for: "cancelled", of: "film.mp4")
                // Not only the row changes: the request itself ends, without a response.
                #expect(try await scenario.browser.evaluate("return ended", as: [Int].self) == [0])
                try await scenario.browser.limitUploads(to: nil)
                try await scenario.click("retry", of: "film.mp4")
                try await scenario.wait(for: "done", of: "film.mp4")
                #expect(try await scenario.downloads("film.mp4", as: Data(contentsOf: file)))
            }
        }

        @Test("A URL that expires before the upload starts is replaced, and the upload succeeds")
        func expiredURL() async throws {
            // The only console message is the storage's rejection.
            try await PageScenario.run(complaints: ["403"]) { scenario in
                let file = try scenario.file("late.txt", count: 1000)
                try await scenario.browser.type("short", into: "#folder")
                // The rule's URLs expire after one second. Storages count whole seconds, so wait a little over two.
                try await scenario.browser.run(
                    """
                    const send = XMLHttpRequest.prototype.send;
                    XMLHttpRequest.prototype.send = function (body) {
                      XMLHttpRequest.prototype.send = send;
                      setTimeout(() => this.send(body), 2500);
                    }
                    """)
                try await scenario.browser.choose([file])
                try await scenario.wait(for: "done", of: "short/late.txt")
                let asked: Int = try await scenario.browser.evaluate(
                    "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/presign')).length"
                )
                #expect(asked == 2)
                #expect(try await scenario.downloads("short/late.txt", as: Data(contentsOf: file)))
            }
        }

        @Test("The page sends a checksum if the rule requires one")
        func checksum() async throws {
            try await PageScenario.run(complaints: ["422"]) { scenario in
                let file = try scenario.file("data.csv", count: 100_000)
                try await scenario.browser.type("sums", into: "#folder")
                try await scenario.browser.choose([file])
                try await scenario.wait(for: "done", of: "sums/data.csv")
                #expect(try await scenario.downloads("sums/data.csv", as: Data(contentsOf: file)))
            }
        }

        @Test("Dropped files upload like chosen ones")
        func drop() async throws {
            try await PageScenario.run { scenario in
                try await scenario.browser.run(
                    """
                    const dataTransfer = new DataTransfer();
                    dataTransfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }));
                    for (const type of ['dragover', 'drop']) {
                      document.querySelector('h1').dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
                    }
                    """)
                try await scenario.wait(for: "done", of: "dropped.txt")
                #expect(try await scenario.downloads("dropped.txt", as: Data("dropped".utf8)))
            }
        }

        @Test("The key is read from the URL, removed from the URL, and kept in the tab")
        func keyInTheAddress() async throws {
            try await PageScenario.run { scenario in
                for _ in 0..<2 {
                    let address: String = try await scenario.browser.evaluate("return location.href")
                    #expect(address == scenario.origin + "/")
                    let key: String = try await scenario.browser.evaluate("return document.getElementById('key').value")
                    #expect(key == scenario.key)
                    try await scenario.browser.run("location.reload()")
                }
                let kept: Int = try await scenario.browser.evaluate(
                    "return localStorage.length + document.cookie.length")
                #expect(kept == 0)
            }
        }

        @Test("A link with another key replaces the current key only after confirmation")
        func otherKeyInTheAddress() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                let fields = "return ['key', 'folder'].map((id) => document.getElementById(id).value)"
                for address in ["location.hash = '%'", "location.href = '/%'; location.reload()"] {
                    let fragment = "#key=psk_other&folder=theirs"
                    try await browser.run(address.replacing("%", with: fragment))
                    try await browser.wait(until: "document.querySelector('#use-key')?.checkVisibility()")
                    #expect(try await browser.evaluate(fields, as: [String].self) == [scenario.key, ""])
                    #expect(try await browser.evaluate("return location.href") == scenario.origin + "/")
                    let said: [String] = try await browser.evaluate(
                        "return ['key-hint', 'news'].map((id) => document.getElementById(id).textContent)")
                    #expect(said.allSatisfy { $0.contains("The link you opened has a different key.") }, "\(said)")
                    try await browser.run("location.reload()")
                    #expect(try await browser.evaluate(fields, as: [String].self) == [scenario.key, ""])
                }
                try await browser.run("location.hash = '#key=psk_other&folder=theirs'")
                try await browser.wait(until: "document.querySelector('#use-key').checkVisibility()")
                try await browser.click("#use-key")
                #expect(try await browser.evaluate(fields, as: [String].self) == ["psk_other", "theirs"])
                #expect(try await browser.evaluate("return document.activeElement.id") == "key")
                #expect(try await browser.evaluate("return !document.querySelector('#use-key').checkVisibility()"))
            }
        }

        @Test("If the browser blocks site storage, the key is in its field and uploads work")
        func blockedStorage() async throws {
            try await PageScenario.run(fragment: "") { scenario in
                try await scenario.browser.devTools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    [
                        "source": """
                        Object.defineProperty(window, 'sessionStorage', {
                          get() { throw new DOMException('blocked', 'SecurityError'); }
                        })
                        """
                    ])
                try await scenario.browser.run("location.reload()")
                try await scenario.browser.run("location.hash = '#key=\(scenario.key)&folder=b'")
                try await scenario.browser.wait(until: "document.getElementById('folder').value === 'b'")
                try await scenario.browser.choose([try scenario.file("a.txt", count: 10)])
                try await scenario.wait(for: "done", of: "b/a.txt")
            }
        }

        @Test("A copied link is valid for an hour and downloads the file")
        func copiedLink() async throws {
            try await PageScenario.run { scenario in
                let file = try scenario.file("shared.txt", count: 5000)
                try await scenario.browser.choose([file])
                try await scenario.wait(for: "done", of: "shared.txt")
                try await scenario.click("copy", of: "shared.txt")
                try await scenario.browser.wait(until: "document.querySelector('.link input')?.value !== ''")
                let link: String = try await scenario.browser.evaluate(
                    "return document.querySelector('.link input').value")
                #expect(link.contains("X-Amz-Expires=3600&"))
                #expect(try await scenario.text(of: "shared.txt").contains("can download the file for 1 h."))
                #expect(try await Curl.send("GET", link).body == Data(contentsOf: file))
            }
        }
    }
}
