import Foundation
import Testing

extension BrowserTests {
    @Suite("Errors on the upload page")
    struct UploadPageRefusalTests {
        @Test("A content type that the rule rejects is named, with the allowed ones")
        func refusedType() async throws {
            try await PageScenario.run(complaints: ["422"]) { scenario in
                try await scenario.browser.type("images", into: "#folder")
                try await scenario.browser.choose([try scenario.file("notes.txt", count: 10)])
                try await scenario.wait(for: "failed", of: "images/notes.txt")
                let text = try await scenario.text(of: "images/notes.txt")
                #expect(text.contains("The file’s type: text/plain is not allowed here; must be image/*."))
                #expect(text.contains("choose another file or folder"))
                #expect(text.contains(/Request [0-9a-f]+/))
                try await scenario.browser.choose([try scenario.file("cat.png", count: 10)])
                try await scenario.wait(for: "done", of: "images/cat.png")
            }
        }

        @Test("A wrong key is reported at its field; with the right key all failed uploads are retried")
        func wrongKey() async throws {
            try await PageScenario.run(fragment: "key=psk_wrong", complaints: ["401", "401"]) { scenario in
                let files = try ["a.txt", "b.txt"].map { try scenario.file($0, count: 10) }
                try await scenario.browser.choose(files)
                try await scenario.wait(for: "failed", of: "a.txt")
                try await scenario.wait(for: "failed", of: "b.txt")
                #expect(try await scenario.text(of: "a.txt").contains("The API key is not valid."))
                let hint: String = try await scenario.browser.evaluate(
                    "return document.getElementById('key-hint').innerText")
                #expect(hint == "This key is not valid.")
                try await scenario.browser.run("document.getElementById('key').value = ''")
                try await scenario.browser.type(scenario.key, into: "#key")
                try await scenario.browser.click("#retry-failed")
                try await scenario.browser.wait(until: "document.querySelectorAll('[data-state=done]').length === 2")
            }
        }

        @Test("An upload to a folder without permission succeeds after choosing another folder")
        func closedFolder() async throws {
            try await PageScenario.run(complaints: ["403"]) { scenario in
                try await scenario.browser.type("closed", into: "#folder")
                try await scenario.browser.choose([try scenario.file("a.txt", count: 10)])
                try await scenario.wait(for: "failed", of: "closed/a.txt")
                #expect(try await scenario.text(of: "closed/a.txt").contains("You do not have access to this folder."))
                try await scenario.browser.run("document.getElementById('folder').value = '/open/'")
                try await scenario.click("retry", of: "closed/a.txt")
                try await scenario.wait(for: "done", of: "open/a.txt")
            }
        }

        @Test("A script error while showing a failure does not block other files")
        func mistake() async throws {
            // One rejection and one script error for each of the four files.
            try await PageScenario.run(complaints: .init(repeating: "http", count: 8)) { scenario in
                try await scenario.browser.run(
                    "document.getElementById('row').content.querySelector('.what').remove()")
                try await scenario.browser.type("closed", into: "#folder")
                try await scenario.browser.choose(
                    try ["a", "b", "c", "d"].map { try scenario.file($0, count: 10) })
                try await scenario.browser.wait(until: "document.querySelectorAll('[data-state=failed]').length === 4")
            }
        }

        @Test(
            "A conflicting upload is distinguished from an existing file",
            arguments: [
                "OperationAborted", "ConditionalRequestConflict",
            ])
        func conflict(code: String) async throws {
            try await PageScenario.run { scenario in
                let what: String = try await scenario.browser.evaluate(
                    """
                    return import('/words.js').then(({ words }) =>
                      words({ source: 'storage', status: 409, code: '\(code)', detail: 'x' }, true).what)
                    """)
                #expect(what == "Another upload of this file is in progress.")
            }
        }

        @Test("An existing file is replaced only on request")
        func alreadyThere() async throws {
            try await PageScenario.run(complaints: ["412"]) { scenario in
                try await scenario.browser.choose([try scenario.file("a.txt", count: 10)])
                try await scenario.wait(for: "done", of: "a.txt")
                try await scenario.browser.click("#clear")
                let second = try scenario.file("a.txt", count: 20)
                try await scenario.browser.choose([second])
                try await scenario.wait(for: "failed", of: "a.txt")
                #expect(try await scenario.text(of: "a.txt").contains("A file with this name already exists."))
                try await scenario.browser.click("#replace")
                try await scenario.click("retry", of: "a.txt")
                try await scenario.wait(for: "done", of: "a.txt")
                #expect(try await scenario.downloads("a.txt", as: Data(contentsOf: second)))
            }
        }
    }
}
