import Foundation
import TestSupport
import Testing

extension Pages {
    @Suite("Sorting, selecting, deleting and saving files on the page")
    struct PageSelectionTests {
        private static let names =
            "return [...document.querySelectorAll('#entries .path')].map((name) => name.textContent)"

        /// Opens a folder with files of 1 to 5 bytes.
        private func open(_ scenario: PageScenario, _ folder: String = "work", count: Int = 5) async throws {
            for index in 1...count {
                try await scenario.store(
                    String(repeating: "x", count: index), at: "\(folder)/\(index % 2)-\(index).txt")
            }
            try await scenario.open("folder=\(folder)")
            try await scenario.browser.wait(
                until: "document.querySelectorAll('#entries .entry').length === \(count)")
        }

        private func names(_ browser: Browser) async throws -> [String] { try await browser.evaluate(Self.names) }

        @Test("Files are sorted by name, size or date, in both directions", arguments: Browser.Kind.atLeast(.chromium))
        func sorting(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                try await open(scenario)
                let byName = ["0-2.txt", "0-4.txt", "1-1.txt", "1-3.txt", "1-5.txt"]
                let bySize = ["1-5.txt", "0-4.txt", "1-3.txt", "0-2.txt", "1-1.txt"]
                #expect(try await names(browser) == byName)
                #expect(try await scenario.text(in: "#entries .entry:nth-child(3) .size") == "1 byte")
                for (column, order) in [
                    ("size", bySize), ("size", bySize.reversed()), ("name", byName), ("name", byName.reversed()),
                ] {
                    try await browser.click("[data-sort=\(column)]")
                    try await browser.wait(
                        until: "document.querySelector('#entries .path').textContent === '\(order[0])'")
                    #expect(try await names(browser) == order)
                    let pressed: [String] = try await browser.evaluate(
                        "return [...document.querySelectorAll('[aria-pressed=true]')].map((one) => one.dataset.sort)")
                    #expect(pressed == [column])
                }
                try await browser.click("[data-sort=lastModified]")
                try await browser.wait(until: "document.querySelector('[data-sort=lastModified]').dataset.order !== ''")
                try await browser.expectAccessible("sorted")
            }
        }

        @Test(
            "Several files are selected and deleted after a question, whose default is not to",
            arguments: Browser.Kind.atLeast(.firefox))
        func deletion(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                try await open(scenario)
                try await browser.click("#entries .entry:nth-child(2) input")
                // With the shift key, all files between two clicks are selected.
                try await browser.run(
                    """
                    const box = document.querySelectorAll('#entries input')[3];
                    box.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }));
                    """)
                try await browser.wait(
                    until: "document.querySelector('#selected').textContent === '3 files selected, 8 bytes'")
                try await browser.expectAccessible("selected")
                try await browser.click("#remove-selected")
                try await browser.wait(until: "document.activeElement.id === 'keep-files'")
                #expect(try await scenario.text(in: "#removal-title") == "Delete 3 files?")
                #expect(
                    try await browser.evaluate(
                        "return [...document.querySelectorAll('#removal-names li')].map((name) => name.textContent)")
                        == ["0-4.txt", "1-1.txt", "1-3.txt"])
                try await browser.expectAccessible("delete")
                try await browser.press("\u{E007}")
                try await browser.wait(until: "!document.querySelector('#removal').open")
                #expect(try await names(browser).count == 5)
                try await browser.press("\u{E007}")
                try await browser.wait(until: "document.querySelector('#removal').open")
                try await browser.click("#remove-files")
                try await browser.wait(until: "!document.querySelector('#removal').open")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 2")
                #expect(try await names(browser) == ["0-2.txt", "1-5.txt"])
                #expect(try await scenario.announced.contains("3 files deleted."))
                try await browser.wait(until: "document.activeElement.id === 'select-all'")
                try await scenario.open("folder=work")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 2")
                // One row: the next one gets the focus.
                try await browser.click("#entries [data-action=delete]")
                try await browser.wait(until: "document.querySelector('#removal').open")
                #expect(try await scenario.text(in: "#removal-title") == "Delete 1 file?")
                try await browser.click("#remove-files")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 1")
                try await browser.wait(until: "document.activeElement.closest('#entries') !== null")
            }
        }

        @Test("Where files cannot be deleted, it is not offered; a refused deletion says why")
        func refused() async throws {
            try await PageScenario.run(complaints: ["403"]) { scenario in
                let browser = scenario.browser
                try await scenario.open("folder=images")
                try await browser.run(
                    PageUploadTests.drop.replacing("dropped.txt", with: "cat.png")
                        .replacing("text/plain", with: "image/png"))
                try await scenario.wait(for: "done", of: "images/cat.png")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 1")
                let actions =
                    "return [...document.querySelectorAll('#entries [data-action]')].map((one) => one.dataset.action)"
                #expect(try await browser.evaluate(actions, as: [String].self).contains("delete") == false)
                try await open(scenario, count: 2)
                try await browser.run(
                    """
                    const { fetch } = window;
                    window.fetch = (input, options) => options?.body?.includes('0-2.txt')
                      ? Promise.resolve(Response.json({ code: 'forbidden', detail: 'no' }, { status: 403 }))
                      : fetch(input, options);
                    """)
                try await browser.click("#select-all")
                try await browser.wait(until: "document.querySelector('#remove-selected').checkVisibility()")
                try await browser.click("#remove-selected")
                try await browser.wait(until: "document.querySelector('#remove-files').checkVisibility()")
                try await browser.click("#remove-files")
                try await browser.wait(
                    until: "document.querySelector('#removal-note').innerText.includes('1 file not deleted.')")
                let note = try await scenario.text(in: "#removal-note")
                #expect(
                    note.contains("1 file deleted, 1 file not deleted. You do not have permission to do this here."))
                // The note comes before the list.
                #expect(try await eventually { try await names(browser) == ["0-2.txt"] })
            }
        }

        @Test("Several files are saved into a folder that the user chooses")
        func saving() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                try await open(scenario, count: 3)
                // A driver cannot operate the system's dialog. The folder is one of the browser for this origin.
                try await browser.run("window.showDirectoryPicker = () => navigator.storage.getDirectory()")
                try await browser.click("#select-all")
                try await browser.wait(until: "document.querySelector('#save-selected').checkVisibility()")
                try await browser.click("#save-selected")
                try await browser.wait(until: "document.querySelector('#notice').innerText.includes('3 files saved.')")
                let sizes: [Int] = try await browser.evaluate(
                    """
                    return (async () => {
                      const folder = await navigator.storage.getDirectory();
                      const names = ['1-1.txt', '0-2.txt', '1-3.txt'];
                      const files = names.map(async (name) => (await folder.getFileHandle(name)).getFile());
                      return (await Promise.all(files)).map(({ size }) => size);
                    })()
                    """)
                #expect(sizes == [1, 2, 3])
            }
        }

        @Test(
            "Without a choice of files, the page fetches such a file: no tab opens a URL of the storage",
            arguments: Browser.Kind.atLeast(.chromium))
        func savingFetched(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                try await open(scenario, "plain", count: 1)
                try await browser.run(
                    """
                    window.showSaveFilePicker = undefined;
                    // The page's policy forbids to fetch the URL of a Blob.
                    const { createObjectURL } = URL;
                    let blob;
                    URL.createObjectURL = (given) => createObjectURL.call(URL, blob = given);
                    HTMLAnchorElement.prototype.click = function () {
                      blob.text().then((text) => {
                        window.followed = [new URL(this.href).protocol, this.download, this.target, text].join(' ');
                      });
                    };
                    """)
                try await browser.click("#entries [data-action=download]")
                try await browser.wait(until: "window.followed !== undefined")
                #expect(try await browser.evaluate("return followed") == "blob: 1-1.txt  x")
            }
        }

        @Test("A file that a rule does not let browsers save by themselves is written to a chosen file")
        func savingWithPicker() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                try await open(scenario, "plain", count: 1)
                try await browser.run(
                    """
                    window.showSaveFilePicker = async ({ suggestedName }) =>
                      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
                    """)
                try await browser.click("#entries [data-action=download]")
                try await browser.wait(
                    until: "(window.saved ??= (async () => { for (;;) { const file = await (await (await "
                        + "navigator.storage.getDirectory()).getFileHandle('1-1.txt', { create: true })).getFile(); "
                        + "if (file.size === 1) return window.isSaved = true; } })(), window.isSaved)")
            }
        }
    }
}
