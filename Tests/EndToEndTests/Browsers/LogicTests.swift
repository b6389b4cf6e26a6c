import Foundation
import TestSupport
import Testing

extension Browsers {
    @Suite("The logic of presign.js in browsers")
    struct LogicTests {
        private struct Outcome: Decodable { let count: Int, failures: [String] }

        /// `LibraryLogicTests` runs them in Node.js each time.
        @Test(
            "All tests that Node.js runs, and those of the oldest browsers",
            .enabled("runs with Tests/run.sh --long") { isLongRun }, arguments: Browser.Kind.allCases)
        func inBrowser(kind: Browser.Kind) async throws {
            try await ScriptedServer.run { site in
                try await Browser.open(kind) { browser in
                    try await browser.go(to: "http://127.0.0.1:\(site.port)/")
                    // In the page itself, because scripts of a driver can have globals of their own.
                    let outcome: Outcome = try await browser.evaluate(
                        """
                        const script = document.createElement('script');
                        script.type = 'module';
                        script.textContent = "import { run } from '/tests/run.js'; window.outcome = await run();";
                        document.head.append(script);
                        return new Promise((resolve) => {
                          const timer = setInterval(() => {
                            if (!window.outcome) return;
                            clearInterval(timer);
                            resolve(window.outcome);
                          }, 50);
                        });
                        """)
                    #expect(outcome.failures == [])
                    #expect(outcome.count >= 103)
                }
            }
        }
    }
}
