import Foundation
import Testing

extension Users {
    @Suite("Whose folders the page shows")
    struct PageUserTests {
        private static let enter = "\u{E007}", tab = "\u{E004}"

        @Test(
            "A key in a link is used only if the user agrees; by default it is not",
            arguments: Browser.Kind.atLeast(.chromium))
        func keyInLink(kind: Browser.Kind) async throws {
            let fragment = "key=%&folder=theirs"
            try await PageScenario.run(in: kind, host: "presign.test", fragment: fragment, complaints: ["401"]) {
                scenario in
                let browser = scenario.browser
                let kept = "return sessionStorage.getItem('presign.key') ?? ''"
                for isAccepted in [false, true] {
                    try await browser.wait(until: "document.activeElement.id === 'keep-key'")
                    #expect(try await browser.evaluate("return location.href") == scenario.origin + "/")
                    #expect(try await scenario.text(in: "#offer-title") == "Use the API key “tester”?")
                    let text = try await scenario.text(in: "#offer-text")
                    #expect(text.hasSuffix("your files go to folders that the sender of the link can open too."))
                    #expect(!text.contains("replace"))
                    #expect(try await scenario.text(in: "#account-chip") == "Not signed in")
                    #expect(try await scenario.isVisible("#sign-in") == false)
                    #expect(try await browser.evaluate(kept) == "")
                    let html: String = try await browser.evaluate("return document.documentElement.outerHTML")
                    #expect(!html.contains(scenario.key.suffix(43)))
                    try await browser.expectAccessible("key-in-link")
                    try await browser.press(isAccepted ? Self.tab + Self.enter : Self.enter)
                    try await browser.wait(until: "!document.querySelector('#offer').checkVisibility()")
                    #expect(try await browser.evaluate("return document.activeElement.id") == "account-chip")
                    if isAccepted { break }
                    #expect(try await scenario.isVisible("#sign-in"))
                    try await browser.reload()
                    try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                    #expect(try await scenario.isVisible("#offer") == false)
                    try await browser.run("location.hash = '\(fragment.replacing("%", with: scenario.key))'")
                }
                try await browser.wait(until: "document.querySelector('#files').checkVisibility()")
                #expect(try await scenario.text(in: "#account-chip") == "API key tester")
                #expect(try await browser.evaluate("return location.hash") == "#folder=theirs")
                #expect(try await browser.evaluate(kept) == scenario.key)
            }
        }

        @Test("Only a page on a loopback address uses a key in a link without a question")
        func loopback() async throws {
            let hosts = [
                "localhost", "a.localhost", "127.0.0.1.test", "localhost.test", "my-localhost.test", "127.test",
            ]
            try await LocalService.run(hosts: hosts) { service in
                try await Browser.open { browser in
                    for host in hosts {
                        let origin = service.origin.replacing("127.0.0.1", with: host)
                        try await browser.go(to: "about:blank")
                        try await browser.go(to: "\(origin)/#key=\(service.key)")
                        try await browser.wait(until: "document.querySelector('#account-chip').checkVisibility()")
                        let isAsked: Bool = try await browser.evaluate(
                            "return document.querySelector('#offer').checkVisibility()")
                        #expect(isAsked == host.hasSuffix("test"), "\(host)")
                    }
                }
            }
        }

        @Test("A user of a proxy is named, also with a long name; a key in a link would replace that")
        func proxyUser() async throws {
            let name = "maximiliana.musterfrau-beispiel@department-of-examples.example.com"
            try await PageScenario.run(host: "presign.test", fragment: "", complaints: ["401"]) { scenario in
                let browser = scenario.browser
                try await browser.devTools("Network.enable")
                let user = LocalService.headers(ofUser: name)
                try await browser.devTools("Network.setExtraHTTPHeaders", ["headers": user])
                try await scenario.open("")
                #expect(try await scenario.text(in: "#account-chip") == name)
                #expect(try await scenario.isVisible("#files"))
                try await browser.expectAccessible("proxy-user")
                try await browser.click("#account-chip")
                try await browser.wait(until: "document.querySelector('#sign-in').checkVisibility()")
                #expect(try await scenario.text(in: "#sign-in-reason").contains("signed in as \(name)."))
                #expect(try await scenario.isVisible("#sign-out") == false)
                try await browser.expectAccessible("proxy-user-account")
                try await browser.run("location.hash = 'key=\(scenario.key)'")
                try await browser.wait(until: "document.querySelector('#offer').checkVisibility()")
                #expect(
                    try await scenario.text(in: "#offer-text").contains("would replace your sign-in as \(name)."))
            }
        }
    }
}
