import Foundation
import TestSupport
import Testing

extension Users {
    @Suite("Signing in on the page with an identity provider", .identityProvider)
    struct PageProviderTests {
        @Test(
            "A user signs in, uploads while the keys change and the token is renewed, returns after its end, and signs out",
            arguments: Browser.Kind.atLeast(.firefox))
        func whole(kind: Browser.Kind) async throws {
            try await ProviderScenario.run(in: kind, lifetime: 8, complaints: ["401", "400"]) { scenario in
                let (page, browser) = (scenario.page, scenario.page.browser)
                #expect(try await page.text(in: "#provider-reason") == "Sign in to see and upload files.")
                #expect(try await page.isVisible("#sign-in") == false)
                try await browser.expectAccessible("provider")
                try await scenario.signIn()
                #expect(try await browser.evaluate("return location.href") == page.origin + "/#folder=reports")
                #expect(try await page.text(in: "#account-chip") == "Alice Example")
                try await browser.choose([try page.file("first.txt")])
                try await page.wait(for: "done", of: "reports/first.txt")

                // The old key is not published any more, so tokens of before are refused, and the page renews its own.
                let old = try await scenario.token
                try await browser.holdUploads()
                try await browser.choose([try page.file("large.bin", count: 40_000_000)])
                try await page.wait(for: "uploading", of: "reports/large.bin")
                try await page.click("pause", of: "reports/large.bin")
                try await page.wait(for: "paused", of: "reports/large.bin")
                try await scenario.rotateKeys()
                try await browser.releaseUploads()
                try await page.click("resume", of: "reports/large.bin")
                try await page.wait(for: "done", of: "reports/large.bin")
                let new = try await scenario.token
                #expect(new != old)

                // Uploads go on while the token is renewed, which it is a fifth of its lifetime before its end.
                var count = 0
                while try await scenario.token == new {
                    count += 1
                    try await browser.choose([try page.file("\(count).txt")])
                    try await page.wait(for: "done", of: "reports/\(count).txt")
                    try await browser.click("#clear")
                    try await browser.wait(until: "document.querySelector('#uploads').hidden")
                }

                try await scenario.provider.forgetSignIns()
                try await scenario.waitForExpiry()
                try await browser.choose([try page.file("last.txt")])
                try await browser.wait(until: "document.querySelector('#provider-sign-in').checkVisibility()")
                let expired = "The sign-in has expired. Sign in again."
                #expect(try await page.text(in: "#provider-note .note") == expired)
                #expect(try await page.announced.contains(expired))
                #expect(try await page.text(in: "#account-chip") == "Not signed in")
                try await browser.expectAccessible("provider-expired")

                // The provider still knows the user.
                try await scenario.leave()
                try await scenario.wait(forPage: page.origin)
                try await scenario.waitForName()
                #expect(try await browser.evaluate("return location.hash") == "#folder=reports")
                try await browser.click("#account-chip")
                try await browser.wait(until: "document.querySelector('#sign-out').checkVisibility()")
                #expect(
                    try await page.text(in: "#key-is-kept").hasPrefix("You are signed in as Alice Example, in this"))
                try await browser.expectAccessible("provider-account")
                try await browser.click("#sign-out")
                try await browser.wait(until: "document.querySelector('#provider-sign-in').checkVisibility()")
                #expect(try await scenario.token == "")
                // After signing out, the provider asks for the password.
                try await scenario.leave()
                try await scenario.wait(forField: "input[type=password]")

                let kept: Int = try await browser.evaluate("return localStorage.length")
                #expect(kept == 0)
                for log in [scenario.service.requests, scenario.service.log] {
                    let text = try String(contentsOf: log, encoding: .utf8)
                    #expect(!text.contains("code=") && !text.contains("state=") && !text.contains(old))
                }
            }
        }

        @Test(
            "The page in the guide signs in from another origin with presign.js, as printed",
            arguments: Browser.Kind.atLeast(.chromium))
        func guide(kind: Browser.Kind) async throws {
            let block = try #require(
                try MarkdownDocument.page("UserSignIn.md")?.blocks.first { $0.language == "html" })
            let port = try FreePort.next()
            let origin = "http://127.0.0.1:\(port)"
            try await IdentityProvider.run(page: origin + "/", lifetime: 600) { provider in
                try await withTemporaryDirectory { directory in
                    let keys = directory.appending(path: "keys")
                    try await provider.keys().write(to: keys)
                    try await LocalService.run(origins: [origin], issuers: provider.entry(keys: keys)) { service in
                        let realm = "https://id.example.com/realms/acme"
                        let html = block.text.replacing("https://presign.example.com", with: service.origin)
                            .replacing(
                                realm + "/protocol/openid-connect/auth", with: provider.issuer + "/oauth/authorize"
                            )
                            .replacing(realm + "/protocol/openid-connect/token", with: provider.issuer + "/oauth/token")
                            .replacing(realm, with: provider.issuer)
                        try await ScriptedServer.run(port: port, page: html) { _ in
                            try await Browser.open(kind) { browser in
                                let page = PageScenario(
                                    browser: browser, origin: origin, key: service.key, directory: directory)
                                let scenario = ProviderScenario(
                                    page: page, provider: provider, service: service, keys: keys)
                                try await browser.go(to: origin + "/#place")
                                try await scenario.wait(until: "document.querySelector('#sign-in').onclick !== null")
                                try await browser.click("#sign-in")
                                try await scenario.enterPassword()
                                try await scenario.answer("#accept")
                                let output = "document.querySelector('output')?.value"
                                try await scenario.wait(until: "\(output) === 'Signed in as Alice Example'")
                                #expect(try await browser.evaluate("return location.href") == origin + "/#place")
                                let file = directory.appending(path: "a.txt")
                                try Data("text".utf8).write(to: file)
                                try await browser.type(file.path(), into: "input")
                                try await scenario.wait(until: "\(output) === 'Uploaded to reports/a.txt'")
                                try await browser.click("#sign-out")
                                #expect(try await scenario.token == "")
                            }
                        }
                    }
                }
            }
        }

        @Test("A refused token is renewed once the provider responds; until then, the user stays signed in")
        func unreachableProvider() async throws {
            try await ProviderScenario.run(lifetime: 600, complaints: ["401"]) { scenario in
                let (page, browser) = (scenario.page, scenario.page.browser)
                try await scenario.signIn()
                let old = try await scenario.token
                try await browser.run(
                    """
                    window.untouched = fetch;
                    window.renewals = 0;
                    window.fetch = (url, ...options) => {
                      if (!String(url).startsWith('\(scenario.provider.issuer)/')) return untouched(url, ...options);
                      renewals += 1;
                      return Promise.reject(new TypeError('down'));
                    };
                    """)
                try await scenario.rotateKeys()
                try await browser.choose([try page.file("waiting.txt")])
                try await page.wait(for: "failed", of: "reports/waiting.txt")
                try await browser.wait(
                    until: "document.querySelector('#listing-note').innerText.includes('The server does not respond.')")
                #expect(try await page.text(in: "#account-chip") == "Alice Example")
                #expect(try await scenario.token == old)
                // The upload waits for the user, too.
                #expect(try await browser.evaluate("return renewals", as: Int.self) == 1)
                try await browser.run("window.fetch = untouched")
                try await browser.click("#reload")
                try await page.wait(for: "done", of: "reports/waiting.txt")
                #expect(try await scenario.token != old)
            }
        }

        @Test("Failures of a sign-in are explained, and lead back to the folder")
        func failures() async throws {
            try await ProviderScenario.run(lifetime: 600, complaints: ["401", "400"]) { scenario in
                let (page, browser) = (scenario.page, scenario.page.browser)
                func note() async throws -> String { try await page.text(in: "#provider-note .note") }
                try await scenario.leave()
                try await scenario.enterPassword()
                try await scenario.answer("#deny")
                try await scenario.waitForButton()
                #expect(try await note().hasPrefix("You cancelled the sign-in"))
                #expect(try await browser.evaluate("return location.href") == page.origin + "/#folder=reports")
                try await browser.expectAccessible("provider-denied")

                // A link with the code of another user.
                try await browser.go(to: page.origin + "/?code=stolen&state=other#folder=theirs")
                try await scenario.waitForButton()
                #expect(try await note().hasPrefix("This sign-in was not started in this tab"))
                #expect(try await browser.evaluate("return location.href") == page.origin + "/#folder=theirs")
                #expect(try await scenario.token == "")

                // A device whose clock is a day ahead.
                try await browser.devTools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    ["source": "const { now } = Date; Date.now = () => now() + 86_400_000;"])
                try await scenario.leave()
                try await scenario.answer("#accept")
                try await scenario.waitForButton()
                #expect(try await note().hasPrefix("The clock of your device is wrong."))
                #expect(try await scenario.token == "")
            }
        }

        @Test("An API key works beside the provider; a wrong one is reported in its form")
        func apiKey() async throws {
            try await ProviderScenario.run(lifetime: 600, complaints: ["401"]) { scenario in
                let (page, browser) = (scenario.page, scenario.page.browser)
                try await browser.click("#want-key")
                try await browser.wait(until: "document.activeElement.id === 'key'")
                try await browser.expectAccessible("provider-key")
                try await browser.type("psk_wrong\u{E007}", into: "#key")
                try await browser.wait(until: "document.querySelector('#key').ariaInvalid === 'true'")
                #expect(try await page.isVisible("#key"))
                try await browser.run("document.querySelector('#key').select()")
                try await browser.type(page.key + "\u{E007}", into: "#key")
                try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
                #expect(try await page.text(in: "#account-chip") == "API key tester")
            }
        }

        @Test("Guests who may do everything in a folder see no way to sign in; elsewhere they do")
        func guests() async throws {
            let rules = """
                  - {path: open/**, allow: {everyone: [read, write, delete, multipart]}}
                  - {path: reports/**, allow: {everyone: [read, write]}}

                """
            try await ProviderScenario.run(lifetime: 600, guests: true, rules: rules) { scenario in
                let page = scenario.page
                #expect(try await page.text(in: "#account-chip") == "Guest · Sign in")
                try await page.open("folder=open")
                #expect(try await page.isVisible("#files"))
                #expect(try await page.isVisible("#account-chip") == false)
                #expect(try await page.isVisible("#account") == false)
            }
        }
    }
}
