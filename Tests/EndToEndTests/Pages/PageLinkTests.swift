import Foundation
import Testing

extension Pages {
    @Suite("Links to files on the page")
    struct PageLinkTests {
        @Test(
            "A link lives as long as the user chooses, and downloads the file",
            arguments: Browser.Kind.atLeast(.firefox))
        func life(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                try await scenario.store("shared", at: "shared.txt")
                try await scenario.open("")
                try await browser.click("#entries [data-action=link]")
                try await browser.wait(until: "document.querySelector('#address').value !== ''")
                #expect(try await link(browser).contains("X-Amz-Expires=3600&"))
                #expect(
                    try await scenario.text(in: "#link-note").contains(
                        "Anyone with this link can download the file until"))
                try await browser.expectAccessible("link")
                let lives: [String] = try await browser.evaluate(
                    "return [...document.querySelector('#life').options].map((option) => option.text)")
                #expect(lives == ["15 minutes", "1 hour", "1 day", "7 days"])
                try await browser.run(
                    """
                    const life = document.querySelector('#life');
                    life.value = '86400';
                    life.dispatchEvent(new Event('change', { bubbles: true }));
                    """)
                try await browser.wait(
                    until: "document.querySelector('#address').value.includes('X-Amz-Expires=86400&')")
                #expect(try await HTTP.send("GET", link(browser)).text == "shared")
                try await browser.click("#copy")
                try await browser.wait(until: "/copied|copy/i.test(document.querySelector('#link-note').innerText)")
                // Escape closes the dialog, and the focus returns to the button that opened it.
                try await browser.press("\u{E00C}")
                try await browser.wait(until: "!document.querySelector('#link').open")
                let focused: String = try await browser.evaluate("return document.activeElement.dataset.action ?? ''")
                #expect(focused == "link")
            }
        }

        private func link(_ browser: Browser) async throws -> String {
            try await browser.evaluate("return document.querySelector('#address').value")
        }

        @Test(
            "Where the rule allows share links, the link is one, for a number of days",
            arguments: Browser.Kind.atLeast(.chromium)
        )
        func share(kind: Browser.Kind) async throws {
            let rules = "  - {path: \"**\", allow: {authenticated: [read, write]}, share: {get: 90d}}"
            try await PageScenario.run(in: kind, rules: rules) { scenario in
                let browser = scenario.browser
                try await scenario.store("shared", at: "shared.txt")
                try await scenario.open("")
                try await browser.click("#entries [data-action=link]")
                try await browser.wait(until: "document.querySelector('#address').value !== ''")
                let first = try await link(browser)
                #expect(first.contains("/s/") && first.utf8.count < 160, "\(first)")
                try await browser.expectAccessible("share")
                let lives: [String] = try await browser.evaluate(
                    "return [...document.querySelector('#life').options].map((option) => option.text)")
                #expect(lives == ["1 day", "7 days", "30 days", "Other number of days"])
                try await browser.run(
                    """
                    const life = document.querySelector('#life');
                    life.value = '';
                    life.dispatchEvent(new Event('change', { bubbles: true }));
                    """)
                try await browser.wait(
                    until: "!['', '\(first)'].includes(document.querySelector('#address').value)")
                let days: String = try await browser.evaluate("return document.querySelector('#days').value")
                #expect(days == "90")
                let shared = try await HTTP.send("GET", try await link(browser))
                #expect(shared.status == 307)
                #expect(try await HTTP.send("GET", shared.headers["location"] ?? "").text == "shared")
            }
        }

        @Test("Only lives that the rule allows are offered")
        func limitedLife() async throws {
            try await PageScenario.run(fragment: "key=%&folder=short") { scenario in
                try await scenario.store("brief", at: "short/brief.txt")
                try await scenario.open("folder=short")
                try await scenario.browser.click("#entries [data-action=link]")
                try await scenario.browser.wait(until: "document.querySelector('#address').value !== ''")
                let lives: [String] = try await scenario.browser.evaluate(
                    "return [...document.querySelector('#life').options].map((option) => option.text)")
                #expect(lives == ["1 second"])
            }
        }

        @Test("Files of the listing and uploaded files can be downloaded under their names")
        func download() async throws {
            try await PageScenario.run { scenario in
                let file = try scenario.file("photo.jpg", count: 5000)
                try await scenario.browser.choose([file])
                try await scenario.wait(for: "done", of: "photo.jpg")
                try await scenario.click("download", of: "photo.jpg")
                let content = try Data(contentsOf: file)
                #expect(try await scenario.browser.downloaded("photo.jpg", count: 5000) == content)
                try await scenario.store("listed", at: "listed.txt")
                try await scenario.open("")
                try await scenario.browser.click("#entries [data-action=download][aria-label='Download listed.txt']")
                #expect(try await scenario.browser.downloaded("listed.txt", count: 6) == Data("listed".utf8))
            }
        }
    }
}
