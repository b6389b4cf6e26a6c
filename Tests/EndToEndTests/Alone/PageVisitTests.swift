import TestSupport
import Testing

extension Alone {
    @Suite("Loading the page", .browser, .sharedBrowsers)
    struct PageVisitTests {
        private struct Visit: Decodable {
            /// Milliseconds from the start of the navigation until the files are listed.
            let listed: Double
            /// The bytes of the page's files that were received.
            let received: Int
            let files: Int
        }

        /// Waits for the listing, then for everything else.
        private static let visit = """
            return (async () => {
              while (!document.querySelector('#entries .entry')) await new Promise((resolve) => setTimeout(resolve, 5));
              const listed = performance.now();
              while (!performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/js/verify.js')))
                await new Promise((resolve) => setTimeout(resolve, 5));
              const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
                .filter(({ name }) => /\\/(#.*)?$|\\.(js|css|svg)$/.test(name));
              const received = files.reduce((sum, { transferSize }) => sum + transferSize, 0);
              return { listed, received, files: files.length };
            })()
            """

        /// A page that lists ten files, in a browser with a slow network.
        ///
        /// - Parameter latency: the milliseconds from each request to its response.
        private static func withSlowNetwork(
            latency: Int, _ body: (PageScenario) async throws -> Void
        ) async throws {
            try await PageScenario.run(fragment: "key=%&folder=work") { scenario in
                for index in 0..<10 { try await scenario.store("x", at: "work/\(index).txt") }
                try await scenario.browser.devTools("Network.enable")
                let network: [String: any Sendable] = [
                    "offline": false, "latency": latency, "downloadThroughput": 200_000, "uploadThroughput": 200_000,
                ]
                try await scenario.browser.devTools("Network.emulateNetworkConditions", network)
                try await body(scenario)
            }
        }

        @Test("At 150 ms, files are listed within 2.2 s at the first visit; with --long, 0.7 s at the second")
        func time() async throws {
            try await Self.withSlowNetwork(latency: 150) { scenario in
                let browser = scenario.browser
                var first: [Double] = [], second: [Double] = []
                let isDone = {
                    first.contains { $0 <= 2200 } && (!isLongRun || second.contains { $0 <= 700 })
                }
                // Other programs can slow a visit down, so the best of a few counts.
                while first.count < 20, !isDone() {
                    try await browser.devTools("Network.clearBrowserCache")
                    try await browser.run("sessionStorage.removeItem('presign.listed')")
                    let (new, known) = (try await visit(scenario), try await visit(scenario))
                    first.append(new.listed)
                    second.append(known.listed)
                    #expect(new.received < 260_000 && new.files < 60, "\(new)")
                    // Only the page itself is asked for, and has not changed.
                    #expect(known.received < 1000)
                }
                print("first visits \(first) ms, second visits \(second) ms")
                // A third of a second visit is the browser's own work, so on a busy machine it takes longer than 0.7 s.
                #expect(isDone(), "\(first), \(second)")
            }
        }

        @Test("At the second visit three requests follow each other: for the page, for a URL, and for the list")
        func steps() async throws {
            try await Self.withSlowNetwork(latency: 700) { scenario in
                _ = try await visit(scenario)
                let listed = try await visit(scenario).listed
                #expect(2100..<2800 ~= listed)
            }
        }

        private func visit(_ scenario: PageScenario) async throws -> Visit {
            try await scenario.browser.go(to: "about:blank")
            try await scenario.browser.go(to: scenario.origin + "/#folder=work")
            return try await scenario.browser.evaluate(Self.visit)
        }
    }
}
