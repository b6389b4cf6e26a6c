import Testing

extension Pages {
    @Suite("The rest of a long listing on the page")
    struct PageRestTests {
        /// Holds the requests for further pages until they are released.
        private static let hold = """
            const { fetch } = window;
            window.held = [];
            window.fetch = async (input, options) => {
              if (options?.body?.includes('"continuationToken"')) await new Promise((resolve) => held.push(resolve));
              return fetch(input, options);
            };
            """

        private static func hasTitle(_ text: String) -> String {
            "document.querySelector('#listing-title').textContent === '\(text)'"
        }

        @Test(
            "An order other than by name loads the rest first, says so, and can be stopped",
            arguments: Browser.Kind.atLeast(.firefox))
        func sorting(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                for index in 10..<32 {
                    try await scenario.store(String(repeating: "x", count: index), at: "long/file-\(index).txt")
                }
                try await browser.run(Alone.PageManyFilesTests.smallPages)
                try await browser.wait(until: Self.hasTitle("10 files, more exist"))
                #expect(try await scenario.isVisible("#stop") == false)
                try await browser.run(Self.hold)
                try await browser.click("[data-sort=size]")
                try await browser.wait(until: "held.length === 1")
                try await browser.wait(until: Self.hasTitle("Loading all names, 10 so far"))
                try await browser.expectAccessible("loading-rest")
                try await browser.click("#stop")
                try await browser.run("held[0]()")
                try await browser.wait(until: Self.hasTitle("20 files, more exist"))
                #expect(try await scenario.isVisible("#stop") == false)
                #expect(try await scenario.isVisible("#more"))
                // The other direction needs the rest too.
                try await browser.click("[data-sort=size]")
                try await browser.wait(until: "held.length === 2")
                try await browser.run("held[1]()")
                try await browser.wait(until: Self.hasTitle("22 files"))
                try await browser.click("[data-sort=size]")
                try await browser.wait(until: "document.querySelector('#entries .path').textContent === 'file-31.txt'")
                // The order is kept in the next folder, whose rest is then loaded without a click.
                try await browser.click("#refresh")
                try await browser.wait(until: "held.length === 3")
                try await browser.run("held[2]()")
                try await browser.wait(until: "held.length === 4")
                try await browser.run("held[3]()")
                try await browser.wait(until: Self.hasTitle("22 files"))
            }
        }

        @Test("All files of a folder with more than 500 are selected", arguments: Browser.Kind.atLeast(.chromium))
        func selectAll(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind) { scenario in
                let browser = scenario.browser
                let _: Bool = try await browser.evaluate(
                    """
                    return (async () => {
                      const { Presign } = await import('/presign.js');
                      const presign = new Presign({ endpoint: location.origin, apiKey: '\(scenario.key)' });
                      const files = Array.from({ length: 520 }, (_, index) => new File(['xx'], `${index}.txt`));
                      await presign.uploadAll(files, { path: 'many' });
                      return true;
                    })()
                    """)
                try await scenario.open("folder=many")
                try await browser.wait(until: Self.hasTitle("200 files, more exist"))
                try await browser.run(Self.hold)
                try await browser.click("#select-all")
                try await browser.wait(until: "held.length === 1")
                try await browser.wait(until: Self.hasTitle("Loading all names, 200 so far"))
                #expect(try await scenario.isVisible("#selection") == false)
                try await browser.run("held[0]()")
                try await browser.wait(
                    until: "document.querySelector('#selected').textContent.startsWith('520 files selected')")
                #expect(
                    try await browser.evaluate("return document.querySelector('#select-all').indeterminate") == false)
                try await browser.click("#remove-selected")
                try await browser.wait(until: "document.querySelector('#removal').open")
                #expect(try await scenario.text(in: "#removal-title") == "Delete 520 files?")
                try await browser.click("#keep-files")
            }
        }
    }
}
