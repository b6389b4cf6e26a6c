import Foundation
import TestSupport
import Testing

/// The upload page in a browser, a service that accepts the tokens of an identity provider, and the provider.
struct ProviderScenario: Sendable {
    let page: PageScenario
    let provider: IdentityProvider
    let service: LocalService
    /// The service's copy of the provider's keys.
    let keys: URL

    /// Opens the folder `reports`, runs the body, and expects that Chromium's console has only these lines.
    ///
    /// - Parameter lifetime: That of tokens in seconds.
    static func run(
        in kind: Browser.Kind = .chromium, lifetime: Int, guests: Bool = false, rules: String? = nil,
        complaints: [String] = [], _ body: (ProviderScenario) async throws -> Void
    ) async throws {
        let port = try FreePort.next()
        let url = "http://127.0.0.1:\(port)/"
        try await IdentityProvider.run(page: url, lifetime: lifetime) { provider in
            try await withTemporaryDirectory { directory in
                let keys = directory.appending(path: "keys")
                try await provider.keys().write(to: keys)
                let settings = """
                    page:
                      signIn:
                        issuer: users
                        clientID: files
                        token: access
                        authorizationEndpoint: \(provider.issuer)/oauth/authorize
                        tokenEndpoint: \(provider.issuer)/oauth/token
                    """
                try await LocalService.run(
                    guests: guests, rules: rules, page: settings, issuers: provider.entry(keys: keys), port: port
                ) { service in
                    try await Browser.open(kind) { browser in
                        let page = PageScenario(
                            browser: browser, origin: service.origin, key: service.key, directory: directory)
                        try await page.open("folder=reports")
                        let scenario = ProviderScenario(page: page, provider: provider, service: service, keys: keys)
                        try await body(scenario)
                        guard kind == .chromium else { return }
                        let lines = try await browser.complaints().filter { !$0.contains(provider.issuer) }
                        #expect(lines.filter { line in !complaints.contains { line.contains($0) } } == [])
                    }
                }
            }
        }
    }

    private var browser: Browser { page.browser }

    /// Signs in as alice and waits for the page.
    func signIn() async throws {
        try await leave()
        try await enterPassword()
        try await answer("#accept")
        try await waitForName()
    }

    /// Clicks "Sign in", which leads to the provider.
    func leave() async throws {
        try await browser.wait(until: "document.querySelector('#provider-sign-in').checkVisibility()")
        try await browser.click("#provider-sign-in")
    }

    /// Enters name and password at the provider.
    func enterPassword() async throws {
        try await wait(forField: "#login")
        try await browser.type("alice\u{E007}", into: "#login")
        try await wait(forField: "input[type=password]")
        try await browser.type("correct horse\u{E007}", into: "input[type=password]")
    }

    /// Answers the question whether the page may know the user.
    func answer(_ selector: String) async throws {
        try await wait(forField: selector)
        try await browser.click(selector)
        try await wait(forPage: page.origin)
    }

    /// Waits until the provider's page is complete and has an element. A click before would be lost in Firefox.
    func wait(forField selector: String) async throws {
        try await wait(until: "document.readyState === 'complete' && document.querySelector('\(selector)') !== null")
    }

    func wait(forPage url: String) async throws { try await wait(until: "location.href.startsWith('\(url)')") }

    /// Waits until the page shows the user's name.
    func waitForName() async throws {
        try await wait(until: "document.querySelector('#account-chip')?.textContent === 'Alice Example'")
        try await wait(until: "document.querySelector('#files').checkVisibility()")
    }

    func waitForButton() async throws {
        try await wait(until: "document.querySelector('#provider-sign-in')?.checkVisibility() === true")
    }

    /// Waits until a condition holds in the page or in one to which it leads. A navigation ends a script of the driver.
    func wait(until condition: String) async throws {
        if try await eventually({ try await browser.holds(condition) }) { return }
        let text: String = try await browser.evaluate("return `${location.href} ${document.body.innerText}`")
        try #require(Bool(false), "\(condition): \(text)")
    }

    /// The token that the tab keeps, or "".
    var token: String {
        get async throws {
            try await browser.evaluate(
                "return JSON.parse(sessionStorage.getItem('presign.signIn') ?? '{}').session?.token ?? ''")
        }
    }

    /// Waits until the token has expired.
    func waitForExpiry() async throws {
        try await browser.wait(
            until: """
                (({ renewedAt, lifetime }) => Date.now() > renewedAt + lifetime)(
                  JSON.parse(sessionStorage.getItem('presign.signIn')).session)
                """)
    }

    /// Changes the provider's keys, and waits until the service has the new ones.
    func rotateKeys() async throws {
        struct Keys: Decodable {
            let keys: [Key]
            struct Key: Decodable { let kid: String }
        }
        try await provider.rotateKeys()
        let new = try await provider.keys()
        try new.write(to: keys, options: .atomic)
        let id = try #require(try JSONDecoder().decode(Keys.self, from: new).keys.first?.kid)
        #expect(try await eventually { try String(contentsOf: service.log, encoding: .utf8).contains(id) })
    }
}
