import Testing

extension Users {
    @Suite("Title and language of the page")
    struct PageLanguageTests {
        private static let hasGerman =
            "performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/page/texts/de.js'))"

        @Test(
            "The configured title and language are used, also for dates and numbers",
            arguments: Browser.Kind.atLeast(.firefox))
        func configured(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, page: "page: {title: 'Akten <b>', language: de}") { scenario in
                let browser = scenario.browser
                try await scenario.store(String(repeating: "x", count: 1536), at: "work/a.txt")
                try await scenario.open("folder=work")
                #expect(try await scenario.text(in: "#brand") == "Akten <b>")
                #expect(try await browser.evaluate("return document.title") == "Dateien · Akten <b>")
                #expect(try await browser.evaluate("return document.documentElement.lang") == "de")
                #expect(try await scenario.text(in: "[for=files]") == "Dateien wählen")
                #expect(try await scenario.text(in: "#entries .size") == "1,5 KiB")
                let label: String = try await browser.evaluate(
                    "return document.querySelector('#entries [data-action=link]').getAttribute('aria-label')")
                #expect(label == "Link: a.txt")
                try await browser.choose([try scenario.file("a.txt")])
                try await scenario.wait(for: "exists", of: "work/a.txt")
                try await browser.expectAccessible("german")
                for look in Look.phones {
                    try await browser.show(look)
                    #expect(try await browser.evaluate("return document.documentElement.scrollWidth") <= look.width)
                }
            }
        }

        /// In Chromium only: Firefox's driver cannot change the languages.
        @Test(
            "Otherwise the first language of the browser that the page has is used, and only its texts are loaded",
            arguments: [
                ("de-AT,en", "de", true), ("fr,de-CH", "de", true), ("en-GB,de", "en", false), ("fr", "en", false),
            ])
        func ofBrowser(accepted: String, language: String, isGerman: Bool) async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                let agent: String = try await browser.evaluate("return navigator.userAgent")
                try await browser.devTools(
                    "Emulation.setUserAgentOverride", ["userAgent": agent, "acceptLanguage": accepted])
                try await scenario.open("")
                #expect(try await browser.evaluate("return document.documentElement.lang") == language)
                #expect(try await browser.evaluate("return \(Self.hasGerman)") == isGerman)
            }
        }
    }
}
