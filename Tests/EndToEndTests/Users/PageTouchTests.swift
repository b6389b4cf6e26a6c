import Testing

extension Users {
    @Suite("Fingers on the page")
    struct PageTouchTests {
        /// The controls that are smaller than 44 px, and those beyond the edge.
        private static let tooSmall = """
            return [...document.querySelectorAll('button, select, summary, a[href], input, .choose label')]
              .filter((control) => control.checkVisibility() && control.type !== 'file')
              // A checkbox has a label, and the whole row opens a file.
              .map((control) => [control, control.closest(control.matches('.open') ? 'li' : '.box') ?? control])
              .filter(([, target]) => {
                const { width, height, right } = target.getBoundingClientRect();
                return width < 43.9 || height < 43.9 || right > innerWidth;
              })
              .map(([control]) => control.outerHTML.slice(0, 100))
            """

        @Test(
            "Each target is as large as a finger, and the bin is reachable",
            arguments: Browser.Kind.atLeast(.chromium))
        func targets(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "key=%&folder=work") { scenario in
                let browser = scenario.browser
                for name in ["a.txt", "photos/b.txt", "A long name of a file that has no room on a phone.docx"] {
                    try await scenario.store("x", at: "work/\(name)")
                }
                try await scenario.open("folder=work")
                try await browser.choose([try scenario.file("a.txt"), try scenario.file("new.txt")])
                try await scenario.wait(for: "exists", of: "work/a.txt")
                try await scenario.wait(for: "done", of: "work/new.txt")
                for look in Look.phones {
                    try await browser.show(look)
                    #expect(try await browser.evaluate(Self.tooSmall, as: [String].self) == [], "\(look)")
                    #expect(try await browser.evaluate("return document.documentElement.scrollWidth") <= look.width)
                    let bins: Int = try await browser.evaluate(
                        """
                        return [...document.querySelectorAll('#entries .entry:not(.folder) [data-action=delete]')]
                          .filter((bin) => bin.checkVisibility()).length
                        """)
                    #expect(bins == 3)
                    try await browser.click("#select-all")
                    try await browser.wait(until: "document.querySelector('#remove-selected').checkVisibility()")
                    #expect(try await browser.evaluate(Self.tooSmall, as: [String].self) == [], "selected, \(look)")
                    try await browser.click("#select-none")
                    try await browser.wait(until: "document.querySelector('#sort').checkVisibility()")
                }
            }
        }
    }
}
