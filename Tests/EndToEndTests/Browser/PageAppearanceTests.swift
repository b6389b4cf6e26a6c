import Foundation
import Testing

extension BrowserTests {
    @Suite("Appearance and keyboard use of the upload page")
    struct PageAppearanceTests {
        private static let tab = "\u{E004}", enter = "\u{E007}"

        @Test("Files can be chosen, cancelled, retried and copied as links with the keyboard, without losing focus")
        func keyboard() async throws {
            try await PageScenario.run(fragment: "") { scenario in
                let browser = scenario.browser
                // A driver cannot operate the system's dialogue, so the test only checks that it would open.
                try await browser.run(
                    """
                    document.getElementById('files').addEventListener('click', (event) => {
                      event.preventDefault();
                      window.opened = true;
                    })
                    """)
                var stops: [String] = []
                for _ in 0..<4 {
                    try await browser.press(Self.tab)
                    stops.append(try await browser.evaluate("return document.activeElement.id"))
                    let outline: String = try await browser.evaluate(
                        "const e = document.activeElement; return getComputedStyle(e.type === 'file' ? e.nextElementSibling : e).outlineStyle"
                    )
                    #expect(outline == "solid", "\(stops) has no visible focus")
                    if stops.last == "key" { try await browser.press(scenario.key) }
                    if stops.last == "files" { try await browser.press(Self.enter) }
                }
                #expect(stops == ["key", "folder", "files", "replace"])
                #expect(try await browser.evaluate("return window.opened === true"))

                try await browser.limitUploads(to: 300_000)
                try await browser.choose([try scenario.file("long.bin", count: 900_000)])
                try await scenario.wait(for: "uploading", of: "long.bin")
                for (label, state) in [("Cancel long.bin", "cancelled"), ("Retry long.bin", "uploading")] {
                    if state == "cancelled" { try await browser.press(Self.tab) }
                    #expect(try await focus(browser) == label)
                    try await browser.press(Self.enter)
                    try await scenario.wait(for: state, of: "long.bin")
                }
                try await browser.limitUploads(to: nil)
                try await scenario.wait(for: "done", of: "long.bin")
                #expect(try await focus(browser) == "Copy link long.bin")
                try await browser.press(Self.enter)
                try await browser.wait(until: "document.querySelector('.link').hidden === false")
                let news: [String] = try await browser.evaluate(
                    "return [...document.querySelectorAll('#news p')].map((line) => line.textContent)")
                #expect(news.count < 10 && news.contains { $0.hasPrefix("long.bin: done") }, "\(news)")
            }
        }

        private func focus(_ browser: Browser) async throws -> String? {
            try await browser.evaluate("return document.activeElement.getAttribute('aria-label') ?? ''")
        }

        @Test("Light, dark and narrow layouts have sufficient contrast and clip nothing", arguments: Look.all)
        func looks(look: Look) async throws {
            try await PageScenario.run(complaints: ["422"]) { scenario in
                let browser = scenario.browser
                try await browser.devTools(
                    "Emulation.setDeviceMetricsOverride",
                    ["width": look.width, "height": look.height, "deviceScaleFactor": 2, "mobile": look.width < 500])
                try await browser.devTools(
                    "Emulation.setEmulatedMedia",
                    ["features": [["name": "prefers-color-scheme", "value": look.scheme]]])
                try await look.save(browser, "empty")
                try await browser.type("images", into: "#folder")
                try await browser.choose([try scenario.file("notes.txt", count: 1200)])
                try await scenario.wait(for: "failed", of: "images/notes.txt")
                try await browser.run("document.getElementById('folder').value = 'photos/2026'")
                try await browser.choose([try scenario.file("report.pdf", count: 25_000)])
                try await scenario.wait(for: "done", of: "photos/2026/report.pdf")
                try await browser.limitUploads(to: 300_000)
                let names = [
                    "beach-at-dawn.jpg", "film-of-the-whole-week-by-the-sea-cut-and-with-titles.mp4", "more.bin",
                    "last.bin",
                ]
                try await browser.choose(try names.map { try scenario.file($0, count: 400_000) })
                try await browser.wait(until: "document.querySelectorAll('progress')[2]?.value > 0.2")
                try await look.save(browser, "busy")
                try await isReadable(browser, look)
                try await browser.limitUploads(to: nil)
                try await browser.wait(until: "document.querySelectorAll('[data-state=done]').length === 5")
                try await look.save(browser, "done")
                try await browser.run("location.hash = '#key=psk_other'")
                try await browser.wait(until: "document.querySelector('#use-key').checkVisibility()")
                try await look.save(browser, "other-key")
                try await isReadable(browser, look)
            }
        }

        private func isReadable(_ browser: Browser, _ look: Look) async throws {
            let width: Int = try await browser.evaluate("return document.documentElement.scrollWidth")
            #expect(width <= look.width)
            let faint: [String] = try await browser.evaluate(Self.faintTexts)
            #expect(faint == [], "less than 4.5 to 1 (WCAG 2.2, 1.4.3)")
        }

        /// Texts with a contrast below 4.5 to their background, by the formula of WCAG 2.2.
        private static let faintTexts = """
            const channels = (color) => color.match(/[\\d.]+/g).map(Number);
            const luminance = (color) => channels(color).slice(0, 3).map((value) => value / 255)
              .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
              .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
            const ground = (element) => {
              const color = getComputedStyle(element).backgroundColor;
              return (channels(color)[3] ?? 1) > 0 ? color : ground(element.parentElement);
            };
            const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
            return [...document.body.querySelectorAll('*')]
              .filter((element) => hasText(element) && element.checkVisibility()).map((element) => {
                const pair = [luminance(getComputedStyle(element).color), luminance(ground(element))].sort((a, b) => b - a);
                return [(pair[0] + 0.05) / (pair[1] + 0.05), element.textContent];
              }).filter(([contrast]) => contrast < 4.5).map(([contrast, text]) => `${contrast.toFixed(2)} ${text}`);
            """
    }
}

/// A layout of the page.
struct Look: Sendable, CustomTestStringConvertible {
    let name: String
    let scheme: String
    let width: Int
    let height: Int

    static let all = [
        Look(name: "light", scheme: "light", width: 1100, height: 900),
        Look(name: "dark", scheme: "dark", width: 1100, height: 900),
        Look(name: "phone", scheme: "light", width: 375, height: 812),
        Look(name: "phone-dark", scheme: "dark", width: 375, height: 812),
        Look(name: "narrow", scheme: "light", width: 320, height: 640),
    ]

    var testDescription: String { name }

    /// Saves a screenshot in the folder PRESIGN_SCREENSHOTS, if that is set.
    func save(_ browser: Browser, _ moment: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["PRESIGN_SCREENSHOTS"] else { return }
        struct Picture: Decodable { let data: String }
        let picture: Picture = try await browser.command(
            "POST", "/goog/cdp/execute",
            ["cmd": "Page.captureScreenshot", "params": ["captureBeyondViewport": true]])
        let bytes = try #require(Data(base64Encoded: picture.data))
        try bytes.write(to: URL(filePath: folder).appending(path: "\(name)-\(moment).png"))
    }
}
