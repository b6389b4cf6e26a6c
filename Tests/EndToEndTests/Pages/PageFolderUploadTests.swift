import Foundation
import Testing

extension Pages {
    @Suite("Uploads of folders with the page")
    struct PageFolderUploadTests {
        private static let paths =
            "return [...document.querySelectorAll('#list .path')].map((name) => name.textContent).sort()"

        @Test(
            "A dropped folder is uploaded with its folders; what cannot be read is named",
            arguments: Browser.Kind.atLeast(.firefox))
        func drop(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "key=%&folder=in", complaints: ["412"]) { scenario in
                let browser = scenario.browser
                try await browser.run(Self.dropFolder)
                try await browser.wait(until: "document.querySelector('#summary').textContent === '5 files uploaded'")
                let paths: [String] = try await browser.evaluate(Self.paths)
                #expect(
                    paths == [
                        "in/holiday/2026/b.txt", "in/holiday/2026/c.txt", "in/holiday/2026/d.txt", "in/holiday/a.txt",
                        "in/top.txt",
                    ])
                #expect(try await scenario.stored("in/holiday/2026/c.txt") == Data("c".utf8))
                let notice = try await scenario.text(in: "#notice")
                #expect(notice.contains("1 file or folder could not be read."))
                #expect(notice.contains("2 files of the system, such as .DS_Store, were left out."))
                let details: String = try await browser.evaluate(
                    "return document.querySelector('#notice .technical').textContent")
                #expect(
                    details.split(separator: "\n").sorted() == [
                        "holiday/.DS_Store", "holiday/2026/Thumbs.db", "holiday/gone.txt",
                    ])
                // The listing has the new folder.
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 2")
                try await browser.run("document.querySelector('#show').click()")
                try await browser.expectAccessible("folder-dropped")
                try await browser.show(.narrow)
                let row: [String] = try await browser.evaluate(Self.shownName(scenario.row("in/holiday/2026/b.txt")))
                #expect(row == ["b.txt", "holiday/2026", "complete"])
                try await browser.show(.light)
                // The listing has the folder but not its files, so the storage refuses to replace them.
                try await browser.run(Self.dropFolder)
                try await scenario.wait(for: "exists", count: 5)
            }
        }

        @Test("The files of a folder are queued in their order")
        func order() async throws {
            try await PageScenario.run(fragment: "key=%&folder=in") { scenario in
                let browser = scenario.browser
                try await browser.holdUploads()
                try await browser.run(
                    Self.dropFolder.replacing("['b.txt', 'c.txt', 'd.txt', 'Thumbs.db']", with: "['10.txt', '9.txt']"))
                try await browser.wait(until: "document.querySelectorAll('#list .file').length === 4")
                let names: [String] = try await browser.evaluate(
                    "return [...document.querySelectorAll('#list .path')].map((name) => name.textContent)")
                #expect(
                    names == ["in/holiday/2026/9.txt", "in/holiday/2026/10.txt", "in/holiday/a.txt", "in/top.txt"])
                try await browser.releaseUploads()
                try await scenario.wait(for: "done", count: 4)
            }
        }

        /// The file's name in a row, its folder, and whether both fit.
        private static func shownName(_ row: String) -> String {
            """
            const parts = ['.shown', '.within'].map((selector) => \(row).querySelector(selector));
            const isComplete = parts.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
            return [...parts.map((part) => part.textContent), isComplete ? 'complete' : 'truncated'];
            """
        }

        /// Drops a folder and a file. Scripts cannot create entries of folders, so these have the same methods.
        private static let dropFolder = """
            const file = (name) => ({ isDirectory: false, name,
              file: (resolve) => resolve(new File([name[0]], name, { type: 'text/plain' })) });
            const gone = { isDirectory: false, name: 'gone.txt', file: (_, reject) => reject(new Error('gone')) };
            const folder = (name, entries) => ({ isDirectory: true, name, createReader() {
              let next = 0;
              return { readEntries: (resolve) => resolve(entries.slice(next, next += 2)) };
            } });
            const year = folder('2026', ['b.txt', 'c.txt', 'd.txt', 'Thumbs.db'].map(file));
            const entry = folder('holiday', [file('a.txt'), file('.DS_Store'), year, gone]);
            const items = [
              { kind: 'file', webkitGetAsEntry: () => entry, getAsFile: () => new File([], 'holiday') },
              { kind: 'file', webkitGetAsEntry: () => null, getAsFile: () => new File(['t'], 'top.txt') },
            ];
            const event = new Event('drop', { bubbles: true, cancelable: true });
            Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], items } });
            document.querySelector('main').dispatchEvent(event);
            """

        /// In Chromium only: Firefox's driver takes no folders.
        @Test("A chosen folder is uploaded with its folders")
        func choose() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                let folder = scenario.directory.appending(path: "tree")
                try FileManager.default.createDirectory(
                    at: folder.appending(path: "sub"), withIntermediateDirectories: true)
                for name in ["one.txt", "sub/two.txt", ".DS_Store"] {
                    try Data(name.utf8).write(to: folder.appending(path: name))
                }
                #expect(try await scenario.isVisible("#folder-files"))
                try await browser.type(folder.path(percentEncoded: false), into: "#folder-files")
                try await browser.wait(until: "document.querySelector('#summary').textContent === '2 files uploaded'")
                #expect(
                    try await browser.evaluate(Self.paths, as: [String].self) == ["tree/one.txt", "tree/sub/two.txt"])
                #expect(try await scenario.stored("tree/sub/two.txt") == Data("sub/two.txt".utf8))
                // Among folders alone there is nothing to select, and so no room for checkboxes.
                try await browser.wait(until: "document.querySelectorAll('#entries .folder').length === 1")
                #expect(try await scenario.isVisible("#table.selectable") == false)
            }
        }

        @Test("Pasted files are uploaded")
        func paste() async throws {
            try await PageScenario.run { scenario in
                try await scenario.browser.run(
                    """
                    const clipboardData = new DataTransfer();
                    clipboardData.items.add(new File(['pasted'], 'picture.png', { type: 'image/png' }));
                    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
                    """)
                try await scenario.wait(for: "done", of: "picture.png")
                #expect(try await scenario.stored("picture.png") == Data("pasted".utf8))
            }
        }
    }
}
