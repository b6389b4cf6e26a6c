import Foundation
import Testing

extension Users {
    @Suite("Refused and failed uploads on the page")
    struct PageRefusalTests {
        @Test(
            "What a folder allows is said before a file is chosen, and other files are not sent",
            arguments: Browser.Kind.atLeast(.firefox))
        func limits(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "key=%&folder=images", complaints: ["422"]) { scenario in
                let browser = scenario.browser
                try await browser.wait(until: "document.querySelector('#allowed').checkVisibility()")
                #expect(try await scenario.text(in: "#allowed") == "Images up to 100 KiB")
                try await scenario.browser.holdUploads()
                try await browser.choose([
                    try scenario.file("notes.txt"), try scenario.file("large.png", count: 102_401),
                    try scenario.file("cat.png", count: 102_400),
                ])
                try await scenario.wait(for: "failed", count: 2)
                try await browser.wait(until: "gate.held.length === 1")
                #expect(try await scenario.text(in: "#summary") == "Uploading, 0 of 1 file done, 2 failed")
                try await scenario.browser.releaseUploads()
                try await scenario.wait(for: "done", of: "images/cat.png")
                #expect(try await scenario.browser.sentUploads == 1)
                #expect(
                    try await scenario.text(of: "images/notes.txt").contains(
                        "This type of file is not allowed here, only images."))
                #expect(
                    try await scenario.text(of: "images/large.png").contains(
                        "The file is larger than allowed here (at most 100 KiB)."))
                // One byte more than the limit is displayed as more, in the same unit, which is the service's too.
                #expect(try await scenario.text(of: "images/large.png").contains("101 KiB"))
                let technical: String = try await browser.evaluate(
                    "return \(scenario.row("images/large.png")).querySelector('.technical').textContent")
                #expect(technical.contains("102401 bytes is more than this rule allows (100 KiB)"))
                try await browser.expectAccessible("refused")
                // A retry cannot help, so it is not offered.
                #expect(try await scenario.isVisible("#retry-failed") == false)
                for name in ["images/notes.txt", "images/large.png"] {
                    #expect(try await scenario.actions(of: name) == ["remove"])
                    try await scenario.click("remove", of: name)
                }
                try await scenario.wait(for: "failed", count: 0)
                #expect(try await scenario.text(in: "#summary") == "1 file uploaded")
            }
        }

        @Test(
            "A failure has one plain sentence, and its technical text under Details; only what may pass can be retried",
            arguments: Browser.Kind.atLeast(.chromium))
        func retry(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                try await browser.run(Self.failingService)
                let names = ["busy-1.txt", "busy-2.txt", "denied.txt"]
                try await browser.choose(try names.map { try scenario.file($0) })
                try await scenario.wait(for: "failed", count: 3)
                #expect(try await scenario.text(in: "#summary") == "3 failed")
                #expect(try await scenario.text(of: "busy-1.txt").contains("The server has a problem."))
                #expect(try await scenario.text(of: "denied.txt").contains("You do not have permission"))
                #expect(try await scenario.actions(of: "busy-1.txt") == ["retry", "remove"])
                #expect(try await scenario.actions(of: "denied.txt") == ["remove"])
                #expect(try await scenario.isVisible("#list .technical") == false)
                try await browser.expectAccessible("failed")
                try await browser.run("\(scenario.row("denied.txt")).querySelector('summary').click()")
                let details = try await scenario.text(of: "denied.txt")
                #expect(details.contains("the rule does not grant it") && details.contains("request r-1"))
                try await browser.run("window.fetch = untouched")
                try await browser.click("#retry-failed")
                try await scenario.wait(for: "done", count: 2)
                try await scenario.wait(for: "failed", of: "denied.txt")
            }
        }

        /// The service refuses uploads of files with one name, and is too busy for others.
        private static let failingService = """
            window.untouched = window.fetch;
            const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': 61 };
            const problemOf = ({ path }) => {
              if (/busy/.test(path)) {
                return { status: 503, code: 'overloaded', detail: 'too many requests in flight', retryAfter: 61 };
              }
              return { status: 403, code: 'forbidden', detail: 'no-grant: the rule does not grant it', requestId: 'r-1' };
            };
            window.fetch = async (input, options) => {
              if (!/busy|denied/.test(options?.body)) return untouched(input, options);
              const { requests, ...request } = JSON.parse(options.body);
              if (requests) return Response.json({ results: requests.map((one) => ({ error: problemOf(one) })) });
              const { status, ...problem } = problemOf(request);
              return new Response(JSON.stringify(problem), { status, headers });
            };
            """
    }
}
