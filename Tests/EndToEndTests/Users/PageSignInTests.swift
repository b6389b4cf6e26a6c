import Foundation
import Testing

extension Users {
    @Suite("Signing in on the page")
    struct PageSignInTests {
        private static let other = "psk_other_" + String(repeating: "o", count: 43)

        @Test(
            "Without a key the page asks for one and reports a wrong one; once it is known the form is collapsed",
            arguments: Browser.Kind.atLeast(.chromium))
        func signIn(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "", complaints: ["401"]) { scenario in
                let browser = scenario.browser
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                #expect(try await scenario.text(in: "#sign-in-reason") == "Sign in to see and upload files.")
                #expect(try await scenario.isVisible("#files") == false)
                try await browser.expectAccessible("signed-out")
                try await browser.type("psk_wrong\u{E007}", into: "#key")
                try await browser.wait(until: "document.querySelector('#key').ariaInvalid === 'true'")
                #expect(try await scenario.text(in: "#key-hint") == "This API key is not valid.")
                // The key is still in the field, so nothing is said of a forgotten one.
                #expect(try await scenario.text(in: "#sign-in-reason") == "Sign in to see and upload files.")
                let announced = try await scenario.announced
                #expect(announced.contains("This API key is not valid.") && !announced.joined().contains("forgotten"))
                try await browser.expectAccessible("wrong-key")
                try await browser.run("document.querySelector('#key').select()")
                try await browser.type(scenario.key + "\u{E007}", into: "#key")
                try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
                #expect(try await scenario.isVisible("#account") == false)
                #expect(try await scenario.text(in: "#account-chip") == "API key tester")
                try await browser.wait(until: "document.activeElement.id === 'account-chip'")
                try await browser.click("#account-chip")
                try await browser.wait(until: "document.querySelector('#sign-out').checkVisibility()")
                #expect(try await scenario.text(in: "#signed-in").hasPrefix("Your API key “tester” is kept in this"))
                try await browser.expectAccessible("account")
                try await browser.click("#sign-out")
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                #expect(try await browser.evaluate("return sessionStorage.getItem('presign.key') ?? ''") == "")
            }
        }

        @Test(
            "Where nothing is allowed without a key, nothing is asked without one",
            arguments: Browser.Kind.atLeast(.firefox))
        func nothingAsked(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, fragment: "folder=a", proxy: false) { scenario in
                let browser = scenario.browser
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                let requests = """
                    return performance.getEntriesByType('resource').map(({ name }) => name)
                      .filter((name) => !/\\.(js|css|svg)$/.test(name))
                    """
                #expect(try await browser.evaluate(requests, as: [String].self) == [])
                try await browser.type(scenario.key + "\u{E007}", into: "#key")
                try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
                #expect(try await browser.evaluate(requests, as: [String].self).isEmpty == false)
                try await browser.click("#account-chip")
                try await browser.click("#sign-out")
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
            }
        }

        @Test("Signing out cancels the uploads, after a question", arguments: Browser.Kind.atLeast(.chromium))
        func signOutWhileUploading(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, complaints: ["401", "404"]) { scenario in
                let browser = scenario.browser
                try await browser.holdUploads()
                try await browser.choose([try scenario.file("a.txt"), try scenario.file("b.txt")])
                try await browser.wait(until: "gate.held.length === 2")
                try await browser.click("#account-chip")
                for (button, isSignedIn) in [("#leave [autofocus]", true), ("#leave-now", false)] {
                    try await browser.wait(until: "document.querySelector('#sign-out').checkVisibility()")
                    try await browser.click("#sign-out")
                    try await browser.wait(until: "document.querySelector('#leave').open")
                    #expect(try await scenario.text(in: "#leave-title") == "Sign out and cancel 2 uploads?")
                    try await browser.expectAccessible("sign-out")
                    try await browser.click(button)
                    try await browser.wait(until: "!document.querySelector('#leave').open")
                    #expect(try await browser.evaluate("return gate.held.length") == (isSignedIn ? 2 : 0))
                }
                try await scenario.wait(for: "cancelled", count: 2)
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                #expect(try await browser.evaluate("return sessionStorage.getItem('presign.key') ?? ''") == "")
                try await browser.releaseUploads()
                #expect(try await browser.sentUploads == 0)
                #expect(try await scenario.grant("a.txt").send().status == 404)
            }
        }

        @Test("The key is read from the URL, removed from the URL, and kept in the tab")
        func keyInTheAddress() async throws {
            try await PageScenario.run { scenario in
                for _ in 0..<2 {
                    try await scenario.browser.wait(until: "document.querySelector('#files').checkVisibility()")
                    let address: String = try await scenario.browser.evaluate("return location.href")
                    #expect(address == scenario.origin + "/")
                    #expect(try await scenario.text(in: "#account-chip") == "API key tester")
                    try await scenario.browser.reload()
                }
                let kept: Int = try await scenario.browser.evaluate(
                    "return localStorage.length + document.cookie.length")
                #expect(kept == 0)
            }
        }

        @Test("A link with another key replaces the current key only after confirmation")
        func otherKeyInTheAddress() async throws {
            try await PageScenario.run(complaints: ["401"]) { scenario in
                let browser = scenario.browser
                let folder = "return document.querySelector('#crumbs [aria-current]').textContent"
                let current = "return sessionStorage.getItem('presign.key')"
                for address in ["location.hash = '%'", "location.href = '/%'; location.reload()"] {
                    let fragment = "#key=\(Self.other)&folder=theirs"
                    try await browser.run(address.replacing("%", with: fragment))
                    try await browser.wait(until: "document.querySelector('#use-key')?.checkVisibility()")
                    #expect(try await browser.evaluate(current) == scenario.key)
                    #expect(try await browser.evaluate(folder) == "Files")
                    #expect(try await browser.evaluate("return location.href") == scenario.origin + "/")
                    #expect(try await scenario.text(in: "#offer").contains("has a different key"))
                    #expect(try await scenario.announced.contains { $0.contains("has a different key") })
                    try await browser.reload()
                    try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
                    #expect(try await browser.evaluate(current) == scenario.key)
                    #expect(try await browser.evaluate(folder) == "Files")
                }
                try await browser.run("location.hash = '#key=\(Self.other)&folder=theirs'")
                try await browser.wait(until: "document.querySelector('#use-key').checkVisibility()")
                try await browser.expectAccessible("other-key")
                #expect(try await scenario.text(in: "#offer-title") == "Use the API key “other”?")
                #expect(try await scenario.text(in: "#offer-text").contains("would replace your API key “tester”"))
                try await browser.click("#keep-key")
                try await browser.wait(until: "!document.querySelector('#use-key').checkVisibility()")
                #expect(try await browser.evaluate(current) == scenario.key)
                try await browser.run("location.hash = '#key=\(Self.other)&folder=theirs'")
                try await browser.wait(until: "document.querySelector('#use-key').checkVisibility()")
                try await browser.click("#use-key")
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                #expect(try await scenario.text(in: "#sign-in-reason").contains("refused the API key “other”"))
                #expect(try await browser.evaluate(current + " ?? ''") == "")
                #expect(try await browser.evaluate(folder) == "theirs")
                #expect(try await browser.evaluate("return location.hash") == "#folder=theirs")
            }
        }

        @Test("If the key stops working, the page asks for one, and then repeats the uploads")
        func revokedKey() async throws {
            try await PageScenario.run { scenario in
                let browser = scenario.browser
                try await browser.run(
                    """
                    window.untouched = window.fetch;
                    window.fetch = async () => new Response('{"code":"unauthorized","detail":"unknown key"}', {
                      status: 401, headers: { 'Content-Type': 'application/problem+json' },
                    });
                    """)
                try await browser.choose([try scenario.file("a.txt"), try scenario.file("b.txt")])
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                let reason =
                    "The service refused the API key “tester”, so this tab has forgotten it. Enter another one."
                #expect(try await scenario.text(in: "#sign-in-reason") == reason)
                #expect(try await scenario.announced.contains(reason))
                try await browser.expectAccessible("refused-key")
                try await browser.run("window.fetch = untouched")
                try await browser.type(scenario.key + "\u{E007}", into: "#key")
                try await scenario.wait(for: "done", count: 2)
            }
        }

        @Test(
            "Uploads that wait when the key is refused are not sent as a guest's; the key stays forgotten after a reload",
            arguments: Browser.Kind.atLeast(.firefox))
        func refusedKeyAmongGuests(kind: Browser.Kind) async throws {
            try await PageScenario.run(in: kind, guests: true, complaints: ["401"]) { scenario in
                let browser = scenario.browser
                try await browser.run(
                    """
                    const { fetch } = window;
                    window.fetch = (input, options) => {
                      if (!options.headers.has('authorization')) return fetch(input, options);
                      return Promise.resolve(new Response('{"code":"credentials-invalid"}', { status: 401 }));
                    };
                    """)
                try await browser.choose(try (1...12).map { try scenario.file("\($0).txt") })
                try await scenario.wait(for: "failed", count: 12)
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                #expect(try await scenario.text(in: "#account-chip") == "Not signed in")
                try await scenario.open("")
                // A guest who may do everything has no account.
                #expect(try await scenario.isVisible("#account-chip") == false)
                #expect(try await scenario.text(in: "#listing").contains("No files here yet."))
            }
        }

        @Test("A late refusal of an earlier request does not forget the key that is in use since")
        func lateRefusal() async throws {
            let rules = "  - {path: \"**\", allow: {everyone: [read, write]}}\n"
            try await PageScenario.run(fragment: "", guests: true, rules: rules) { scenario in
                let browser = scenario.browser
                try await browser.run(
                    """
                    const { fetch } = window;
                    window.fetch = (input, options) => {
                      const isGuest = !options.headers.has('authorization');
                      if (!isGuest || !/"PUT"/.test(options.body)) return fetch(input, options);
                      return new Promise((resolve) => {
                        window.refuse = () => resolve(new Response('{}', { status: 401 }));
                      });
                    };
                    """)
                try await browser.choose([try scenario.file("a.txt")])
                try await browser.wait(until: "window.refuse")
                try await browser.click("#account-chip")
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                try await browser.type(scenario.key + "\u{E007}", into: "#key")
                let isSignedIn = "document.querySelector('#account-chip').textContent === 'API key tester'"
                // The key is cleared when what waited for the sign-in has been repeated.
                try await browser.wait(until: "\(isSignedIn) && document.querySelector('#key').value === ''")
                try await browser.run("refuse()")
                try await scenario.wait(for: "failed", of: "a.txt")
                try await browser.wait(
                    until: "document.querySelector('#listing').ariaBusy === 'false' && \(isSignedIn)")
                #expect(try await browser.evaluate("return sessionStorage.getItem('presign.key')") == scenario.key)
                try await scenario.click("retry", of: "a.txt")
                try await scenario.wait(for: "done", of: "a.txt")
            }
        }

        @Test("A key that the caller's other credentials contradict is forgotten too")
        func ambiguousKey() async throws {
            try await PageScenario.run(complaints: ["400"]) { scenario in
                let user = LocalService.headers(ofUser: "alice")
                try await scenario.browser.devTools("Network.enable")
                try await scenario.browser.devTools("Network.setExtraHTTPHeaders", ["headers": user])
                try await scenario.open("")
                try await scenario.browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                #expect(try await scenario.text(in: "#sign-in-reason").contains("refused the API key “tester”"))
                try await scenario.open("")
                #expect(try await scenario.text(in: "#account-chip") == "alice")
            }
        }

        @Test("If the browser blocks site storage, a key in the link works for the page")
        func blockedStorage() async throws {
            try await PageScenario.run { scenario in
                try await scenario.browser.devTools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    [
                        "source": """
                        Object.defineProperty(window, 'sessionStorage', {
                          get() { throw new DOMException('blocked', 'SecurityError'); }
                        })
                        """
                    ])
                try await scenario.open("key=%&folder=b")
                try await scenario.browser.wait(until: "document.querySelector('#files').checkVisibility()")
                try await scenario.browser.choose([try scenario.file("a.txt", count: 10)])
                try await scenario.wait(for: "done", of: "b/a.txt")
            }
        }
    }
}
