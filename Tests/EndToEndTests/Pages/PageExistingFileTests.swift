import Foundation
import Testing

extension Pages {
    @Suite("Existing files on the page")
    struct PageExistingFileTests {
        @Test(
            "An existing file is announced before it is sent, and is replaced or skipped as the user chooses",
            arguments: Browser.Kind.atLeast(.firefox))
        func replaceOrSkip(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "key=%&folder=in") { scenario in
                let browser = scenario.browser
                for name in ["a.txt", "b.txt"] { try await scenario.store("first", at: "in/\(name)") }
                try await scenario.open("folder=in")
                try await scenario.browser.holdUploads()
                try await scenario.browser.releaseUploads()
                let file = try scenario.file("a.txt", count: 20)
                try await browser.choose([file, try scenario.file("b.txt"), try scenario.file("new.txt")])
                try await scenario.wait(for: "exists", count: 2)
                try await scenario.wait(for: "done", of: "in/new.txt")
                #expect(try await scenario.browser.sentUploads == 1)
                #expect(try await scenario.text(of: "in/a.txt").contains("A file with this name exists (5 bytes"))
                #expect(try await scenario.actions(of: "in/a.txt") == ["replace", "keep-both", "skip"])
                try await browser.expectAccessible("exists")
                try await scenario.click("replace", of: "in/a.txt")
                try await scenario.wait(for: "done", of: "in/a.txt")
                try await scenario.click("skip", of: "in/b.txt")
                try await scenario.wait(for: "exists", count: 0)
                #expect(try await scenario.stored("in/a.txt") == Data(contentsOf: file))
                #expect(try await scenario.stored("in/b.txt") == Data("first".utf8))
            }
        }

        @Test("Several existing files are replaced or skipped together")
        func together() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                let names = ["a.txt", "b.txt", "c.txt"]
                for name in names { try await scenario.store("first", at: name) }
                try await scenario.open("")
                let files = try names.map { try scenario.file($0) }
                try await browser.choose(files)
                try await scenario.wait(for: "exists", count: 3)
                try await browser.click("#skip-all")
                try await scenario.wait(for: "exists", count: 0)
                for name in names { #expect(try await scenario.stored(name) == Data("first".utf8)) }
                try await browser.choose(files)
                try await scenario.wait(for: "exists", count: 3)
                try await browser.click("#replace-all")
                try await scenario.wait(for: "done", count: 3)
                for (name, file) in zip(names, files) {
                    #expect(try await scenario.stored(name) == Data(contentsOf: file))
                }
            }
        }

        @Test("Both files are kept: the new one gets the next free number", arguments: Browser.Kind.atLeast(.chromium))
        func keepBoth(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "key=%&folder=in") { scenario in
                for name in ["a.tar.gz", "a.tar (2).gz", ".profile"] {
                    try await scenario.store("first", at: "in/\(name)")
                }
                try await scenario.open("folder=in")
                let file = try scenario.file("a.tar.gz", count: 20)
                try await scenario.browser.choose([file, try scenario.file(".profile")])
                try await scenario.wait(for: "exists", count: 2)
                try await scenario.click("keep-both", of: "in/a.tar.gz")
                try await scenario.wait(for: "done", of: "in/a.tar (3).gz")
                try await scenario.click("keep-both", of: "in/.profile")
                try await scenario.wait(for: "done", of: "in/.profile (2)")
                #expect(try await scenario.stored("in/a.tar (3).gz") == Data(contentsOf: file))
                for name in ["a.tar.gz", "a.tar (2).gz", ".profile"] {
                    #expect(try await scenario.stored("in/\(name)") == Data("first".utf8))
                }
            }
        }

        @Test("A number that only the storage knows to be taken is not replaced either")
        func numberTaken() async throws {
            try await PageScenario.run(listing: false, complaints: ["412", "404"]) { scenario in
                for name in ["a.txt", "a (2).txt", "a (3).txt"] { try await scenario.store("first", at: name) }
                try await scenario.browser.choose([try scenario.file("a.txt")])
                try await scenario.wait(for: "exists", of: "a.txt")
                try await scenario.click("keep-both", of: "a.txt")
                try await scenario.wait(for: "done", of: "a (4).txt")
                for name in ["a.txt", "a (2).txt", "a (3).txt"] {
                    #expect(try await scenario.stored(name) == Data("first".utf8))
                }
            }
        }

        @Test("A file that appears after the check is not replaced without a question")
        func race() async throws {
            try await PageScenario.run(complaints: ["412"]) { scenario in
                try await scenario.browser.holdUploads()
                try await scenario.browser.choose([try scenario.file("a.txt")])
                try await scenario.browser.wait(until: "gate.held.length === 1")
                try await scenario.store("other", at: "a.txt")
                try await scenario.browser.releaseUploads()
                try await scenario.wait(for: "exists", of: "a.txt")
                #expect(try await scenario.stored("a.txt") == Data("other".utf8))
            }
        }

        @Test("A conflicting upload is distinguished from an existing file")
        func conflict() async throws {
            try await PageScenario.run { scenario in
                for code in ["OperationAborted", "ConditionalRequestConflict"] {
                    let text: String = try await scenario.browser.evaluate(
                        """
                        return import('/page/words.js').then(({ reason }) =>
                          reason({ source: 'storage', status: 409, code: '\(code)' }))
                        """)
                    #expect(text == "Another upload of this file is in progress.")
                }
            }
        }
    }
}
