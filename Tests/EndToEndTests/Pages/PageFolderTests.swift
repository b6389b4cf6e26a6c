import Foundation
import Testing

extension Pages {
    @Suite("Folders on the page")
    struct PageFolderTests {
        private static let names = """
            return [...document.querySelectorAll('#entries .entry .path')].map((path) => path.textContent)
            """
        /// Whether the date of a file is under the buttons of its row.
        private static let hasOverlap = """
            return [...document.querySelectorAll('#entries .entry:not(.folder)')].some((row) => {
              const date = document.createRange();
              date.selectNodeContents(row.querySelector('.state'));
              return date.getBoundingClientRect().right > row.querySelector('.actions').getBoundingClientRect().left;
            })
            """

        private static let crumbs = """
            return [...document.querySelectorAll('#crumbs a')].map((link) => link.textContent)
            """

        @Test(
            "Folders and files are listed; breadcrumbs, the back button and a reload keep the place",
            arguments: Browser.Kind.atLeast(.firefox))
        func folders(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                try await browser.wait(
                    until: "document.querySelector('#listing').innerText.includes('No files here yet.')")
                try await browser.expectAccessible("empty")
                let objects = ["file-10.txt", "file-2.txt", "photos/2026/ä b+c&d #1.jpg", "photos/cat.png"]
                for path in objects { try await scenario.store("x", at: path) }
                try await scenario.open("")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 3")
                #expect(try await names(browser) == ["photos", "file-2.txt", "file-10.txt"])
                #expect(try await scenario.text(in: "#listing-title") == "1 folder, 2 files")
                try await browser.expectAccessible("listing")
                try await browser.show(.narrow)
                let overlaps: Bool = try await browser.evaluate(Self.hasOverlap)
                #expect(overlaps == false)
                try await browser.show(.light)
                // Files that others have added since appear without a new visit.
                try await scenario.store("x", at: "later.txt")
                try await browser.click("#refresh")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 4")
                try await browser.click("#entries .folder a")
                try await browser.wait(until: "document.querySelector('#entries .path')?.textContent === '2026'")
                #expect(try await names(browser) == ["2026", "cat.png"])
                try await browser.click("#entries .folder a")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 1")
                #expect(try await names(browser) == ["ä b+c&d #1.jpg"])
                #expect(try await browser.evaluate(Self.crumbs, as: [String].self) == ["Files", "photos", "2026"])
                try await browser.reload()
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 1")
                #expect(try await browser.evaluate(Self.crumbs, as: [String].self) == ["Files", "photos", "2026"])
                try await browser.run("history.back()")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 2")
                try await browser.click("#crumbs a")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 4")
                #expect(try await browser.evaluate(Self.crumbs, as: [String].self) == ["Files"])

                try await browser.run("location.hash = '#folder=closed'")
                try await browser.wait(
                    until: "document.querySelector('#listing').innerText.includes('No files here yet.')")
                #expect(try await scenario.isVisible("#upload") == false)
                try await browser.run(PageUploadTests.drop)
                try await browser.wait(until: "document.querySelector('#notice .note').textContent !== ''")
                #expect(try await scenario.text(in: "#notice") == "You cannot upload to this folder.")
                try await browser.expectAccessible("read-only")
            }
        }

        private func names(_ browser: Browser) async throws -> [String] { try await browser.evaluate(Self.names) }

        @Test(
            "A new folder is shown at once and after a reload, and is everyone's with its first file",
            arguments: Browser.Kind.atLeast(.chromium))
        func newFolder(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, complaints: ["400", "401"]) { scenario in
                let browser = scenario.browser
                let note = "document.querySelector('#entries .within')?.textContent"
                let isNew = "\(note) === 'Others see it with its first file'"
                try await browser.click("#change-folder")
                try await browser.wait(until: "document.activeElement.id === 'folder'")
                try await browser.expectAccessible("new-folder")
                for (name, problem) in [("", "Enter a name."), ("..", "This name or folder is not allowed.")] {
                    try await browser.press(name + "\u{E007}")
                    try await browser.wait(
                        until: "document.querySelector('#folder-hint').textContent === '\(problem)'")
                    try await browser.run("document.querySelector('#folder').select()")
                }
                try await browser.press("/new / folder/\u{E007}")
                try await browser.wait(until: isNew)
                try await browser.wait(until: "document.activeElement.closest('#entries') !== null")
                #expect(try await names(browser) == ["new"])
                try await browser.expectAccessible("folder-created")
                try await browser.reload()
                try await browser.wait(until: isNew)
                for count in [2, 3] {
                    try await browser.click("#entries .folder a")
                    try await browser.wait(until: "document.querySelectorAll('#crumbs a').length === \(count)")
                    try await browser.wait(until: "document.querySelector('#listing').ariaBusy === 'false'")
                }
                #expect(try await scenario.text(in: "#listing-note").hasPrefix("No files here yet. Others see this"))
                try await browser.choose([try scenario.file("a.txt")])
                try await scenario.wait(for: "done", of: "new/folder/a.txt")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 1")
                #expect(try await names(browser) == ["a.txt"])
                try await browser.click("#crumbs a")
                try await browser.wait(until: "document.querySelector('#entries .path')?.textContent === 'new'")
                #expect(try await browser.evaluate("return \(note)") == "")
                #expect(try await browser.evaluate("return sessionStorage.getItem('presign.folders') ?? ''") == "")
                // The next user of the tab does not see what this one has created.
                try await browser.click("#change-folder")
                try await browser.press("mine\u{E007}")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 2")
                try await browser.click("#account-chip")
                try await browser.click("#sign-out")
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                #expect(try await browser.evaluate("return sessionStorage.getItem('presign.folders') ?? ''") == "")
            }
        }

        @Test(
            "A folder has a link, and is deleted after its files were counted",
            arguments: Browser.Kind.atLeast(.firefox))
        func folderMenu(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                for path in ["top/old/a.txt", "top/old/deep/b.txt", "top/old/deep/er/c.txt", "top/older/d.txt"] {
                    try await scenario.store("x", at: path)
                }
                try await scenario.open("folder=top")
                #expect(try await names(browser) == ["old", "older"])
                try await browser.click("#entries .folder [data-action=link]")
                try await browser.wait(until: "document.querySelector('#address').value !== ''")
                #expect(
                    try await browser.evaluate("return document.querySelector('#address').value")
                        == scenario.origin + "/#folder=top%2Fold")
                #expect(try await scenario.isVisible("#life") == false)
                try await browser.expectAccessible("folder-link")
                try await browser.press("\u{E00C}")
                try await browser.wait(until: "!document.querySelector('#link').open")
                try await browser.click("#entries .folder [data-action=delete]")
                try await browser.wait(until: "document.querySelector('#remove-files').checkVisibility()")
                #expect(try await scenario.text(in: "#removal-title") == "Delete the folder “old” with 3 files?")
                try await browser.expectAccessible("folder-delete")
                try await browser.click("#remove-files")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 1")
                #expect(try await names(browser) == ["older"])
                for path in ["top/old/a.txt", "top/old/deep/er/c.txt"] {
                    #expect(try await scenario.grant(path).send().status == 404)
                }
                #expect(try await scenario.stored("top/older/d.txt") == Data("x".utf8))
            }
        }

        @Test("Each file of a folder is saved into a folder that the user chooses")
        func folderDownload() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                for path in ["top/f/a.txt", "top/f/deep/b.txt"] { try await scenario.store(path, at: path) }
                try await scenario.open("folder=top")
                // A driver cannot operate the system's dialog. The folder is one of the browser for this origin.
                try await browser.run("window.showDirectoryPicker = () => navigator.storage.getDirectory()")
                try await browser.click("#entries .folder [data-action=download]")
                try await browser.wait(until: "document.querySelector('#notice').innerText.includes('2 files saved.')")
                let text: String = try await browser.evaluate(
                    """
                    return (async () => {
                      const top = await navigator.storage.getDirectory();
                      const folder = await (await top.getDirectoryHandle('f')).getDirectoryHandle('deep');
                      return (await (await folder.getFileHandle('b.txt')).getFile()).text();
                    })()
                    """)
                #expect(text == "top/f/deep/b.txt")
            }
        }

        @Test("Names with any characters are displayed and stored as they are; an invalid folder is reported")
        func characters() async throws {
            try await PageScenario.run(complaints: ["status of 400"]) { scenario in
                let browser = scenario.browser
                let names = ["<img src=x onerror=alert(1)>.txt", "50% & more + #1?.txt", "holiday 😀123.jpg", "..dots"]
                for name in names {
                    try await browser.run(PageUploadTests.drop.replacing("dropped.txt", with: name))
                    try await scenario.wait(for: "done", of: name)
                }
                try await scenario.open("")
                let shown: [String] = try await browser.evaluate(
                    "return [...document.querySelectorAll('#entries .shown')].map((name) => name.textContent)")
                #expect(Set(shown) == Set(names))
                try await browser.run("location.hash = '#folder=../x'")
                try await browser.wait(until: "document.querySelector('#listing').innerText.includes('not allowed')")
                #expect(try await scenario.isVisible("#reload") == false)
                try await scenario.open("folder=../x")
                #expect(try await scenario.text(in: "#account-chip") == "API key tester")
            }
        }

        @Test("Long listings have pages and a filter")
        func longListing() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                for index in 0..<12 { try await scenario.store("x", at: "long/file-\(index).txt") }
                try await browser.run(Alone.PageManyFilesTests.smallPages)
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 10")
                #expect(try await scenario.text(in: "#listing-title") == "10 files, more exist")
                try await browser.click("#more")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 12")
                #expect(try await scenario.isVisible("#more") == false)
                try await browser.type("FILE-1", into: "#filter")
                try await browser.wait(until: "document.querySelectorAll('#entries .entry').length === 3")
                try await browser.type("0000", into: "#filter")
                try await browser.wait(
                    until: "document.querySelector('#listing').innerText.includes('None of 12 names contains')")
            }
        }

        @Test(
            "Guests who may upload are not asked to sign in; a store that does not list says so",
            arguments: Browser.Kind.atLeast(.chromium))
        func guestsWithoutListing(kind: Browser.Kind) async throws {
            try await PageScenario.run(
                in: kind, fragment: "", guests: true, listing: false, complaints: ["412", "404"]
            ) { scenario in
                let browser = scenario.browser
                try await browser.wait(
                    until: "document.querySelector('#listing').innerText.includes('You can upload to this folder')")
                #expect(try await scenario.isVisible("#account") == false)
                #expect(try await scenario.text(in: "#account-chip") == "Guest · Sign in")
                try await browser.choose([try scenario.file("a.txt")])
                try await scenario.wait(for: "done", of: "a.txt")
                // Without a listing, the storage is asked for existing files.
                try await browser.choose([try scenario.file("a.txt")])
                try await scenario.wait(for: "exists", of: "a.txt")
                try await browser.expectAccessible("guest")
            }
        }
    }
}
