import Foundation
import Testing

extension Users {
    @Suite("Where the page starts")
    struct PageRootTests {
        /// No caller may list the whole store.
        private static let rules = """
              - {path: "home/{identity}/**", allow: {owner: [read, write, delete]}}
              - {path: inbox/**, allow: {everyone: [write]}}
              - {path: brochures/**, allow: {everyone: [read]}}

            """
        private static let names =
            "return [...document.querySelectorAll('#entries .path')].map((name) => name.textContent)"

        @Test(
            "After signing in without a folder, the page shows the folders to open",
            arguments: Browser.Kind.atLeast(.firefox))
        func signedIn(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, rules: Self.rules) { scenario in
                let browser = scenario.browser
                #expect(try await scenario.text(in: "#listing-title") == "Folders you can open")
                #expect(
                    try await browser.evaluate(Self.names, as: [String].self) == ["brochures", "home/tester", "inbox"])
                #expect(try await scenario.isVisible("#upload") == false)
                try await browser.expectAccessible("roots")
                try await browser.run("document.querySelectorAll('#entries a')[1].click()")
                try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
                #expect(try await browser.evaluate("return location.hash") == "#folder=home%2Ftester")
                // Between the top and a root there is nothing else to see.
                try await scenario.open("folder=home")
                #expect(try await browser.evaluate(Self.names, as: [String].self) == ["tester"])
                try await scenario.open("folder=elsewhere")
                #expect(try await scenario.text(in: "#listing-note").contains("You do not have access to this folder."))
                try await browser.expectAccessible("no-access")
            }
        }

        @Test("The page says if there can be more folders than it shows")
        func truncated() async throws {
            let rules = (0...100).map { "      - {path: d\($0)/**, allow: {everyone: [write]}}\n" }.joined() + "\n"
            try await PageScenario.run(rules: rules) { scenario in
                let title = try await scenario.text(in: "#listing-title")
                #expect(title == "Some of the folders you can open")
            }
        }

        @Test(
            "Guests see folders only if the configuration shows them; otherwise they are asked to sign in",
            arguments: [false, true])
        func guests(isShown: Bool) async throws {
            let page = isShown ? "page: {guestFolders: true}" : "page: true"
            try await PageScenario.run(fragment: "", guests: true, rules: Self.rules, page: page) { scenario in
                let browser = scenario.browser
                let names: [String] = try await browser.evaluate(Self.names)
                #expect(names == (isShown ? ["brochures", "inbox"] : []))
                #expect(try await scenario.isVisible("#sign-in") == !isShown)
                try await browser.expectAccessible("guest-\(isShown)")
                // A published link leads to the folder in any case.
                try await scenario.open("folder=inbox")
                #expect(try await scenario.isVisible("#files"))
            }
        }
    }
}
