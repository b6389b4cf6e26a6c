import Foundation
import Testing

extension Browsers {
    @Suite("URLs with a window are cached by browsers", .realParts)
    struct CachingTests {
        private static let image = """
            <svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>
            """

        /// More specific than the rule for everything, so it decides for each scenario's folder.
        private static let rules = [
            "{path: \"*/**\", allow: {guest: [get], authenticated: [get, write]}, expires: {window: 1d}}"
        ]

        /// A page of another site that shows images, the service, and what reaches the storage.
        private struct Site: Sendable {
            let page: String
            let scenario: Scenario
            let proxy: LoggingProxy

            /// The number of downloads that reached the storage.
            var downloads: Int { get throws { try proxy.exchanges.count { $0.method == "GET" } } }

            /// The number of redirects that the service has sent.
            func redirects() async throws -> Int {
                let metrics = try await HTTP.send("GET", "http://\(scenario.service.address)/metrics").text
                let name = #"presign_http_requests_total{route="/o/{path}",status="307"} "#
                let line = metrics.split(separator: "\n").first { $0.hasPrefix(name) }
                return line.flatMap { Int($0.dropFirst(name.count)) } ?? 0
            }

            /// Opens the page anew, shows the image in it, and compares the number of downloads so far.
            func expect(
                _ url: String, in browser: Browser, downloads: Int, sourceLocation: SourceLocation = #_sourceLocation
            ) async throws {
                try await browser.go(to: page)
                let width: Int = try await browser.evaluate(
                    """
                    return new Promise((resolve, reject) => {
                      const image = new Image();
                      image.onload = () => resolve(image.naturalWidth);
                      image.onerror = () => reject(new Error('the image was not loaded'));
                      image.src = '\(url)';
                      document.body.append(image);
                    })
                    """)
                #expect(width == 8, sourceLocation: sourceLocation)
                #expect(try self.downloads == downloads, sourceLocation: sourceLocation)
            }
        }

        private static func open(_ kind: StorageKind, _ body: (Site, Browser) async throws -> Void) async throws {
            try await LoggingProxy.watching(kind.server) { proxy in
                let store = ["publicEndpoint": "http://127.0.0.1:\(proxy.port)", "links": "true"]
                let cors = "cors: {origins: [\"*\"]}"
                try await Scenario.run(on: kind, store: store, guests: true, rules: rules, sections: cors) { scenario in
                    try await scenario.put(image, at: "cat.svg", ["contentType": "image/svg+xml"])
                    try await ScriptedServer.run { site in
                        try await Browser.open { browser in
                            let page = "http://127.0.0.1:\(site.port)"
                            try await body(Site(page: page, scenario: scenario, proxy: proxy), browser)
                        }
                    }
                }
            }
        }

        @Test(
            "An image that two pages show with a URL each is requested once", arguments: StorageKind.atLeast(.seaweedfs)
        )
        func images(kind: StorageKind) async throws {
            try await Self.open(kind) { site, browser in
                let head = try await site.scenario.grant("HEAD", "cat.svg").send()
                #expect(head.status == 200)
                for _ in 0..<2 {
                    let url = try await site.scenario.grant("GET", "cat.svg").url
                    try await site.expect(url, in: browser, downloads: 1)
                }
                // A request with its own Cache-Control gets another URL, which the browser must not store.
                for count in 2...3 {
                    let fields = ["responseCacheControl": "no-store"]
                    let url = try await site.scenario.grant("GET", "cat.svg", fields).url
                    try await site.expect(url, in: browser, downloads: count)
                }
            }
        }

        @Test(
            "An image that two pages show with a link asks service and storage once",
            arguments: StorageKind.atLeast(.local))
        func links(kind: StorageKind) async throws {
            try await Self.open(kind) { site, browser in
                let link = "http://\(site.scenario.service.address)/o/\(site.scenario.prefix)cat.svg"
                for _ in 0..<2 {
                    try await site.expect(link, in: browser, downloads: 1)
                    let redirects = try await site.redirects()
                    #expect(redirects == 1)
                }
            }
        }

        @Test(
            "A redirect that was cached for a guest is not used for a request with a key",
            arguments: StorageKind.present.prefix(1))
        func callers(kind: StorageKind) async throws {
            try await Self.open(kind) { site, browser in
                let link = "http://\(site.scenario.service.address)/o/\(site.scenario.prefix)cat.svg"
                let key = "headers: { 'X-API-Key': '\(site.scenario.service.apiKey)' }"
                try await browser.go(to: site.page)
                // The redirect is not followed, so only the service is asked.
                for (options, count) in [
                    ("", 1), ("", 1), (key, 2), (key, 2), ("method: 'HEAD', cache: 'no-store'", 3),
                ] {
                    try await browser.run("return fetch('\(link)', { redirect: 'manual', \(options) })")
                    let redirects = try await site.redirects()
                    #expect(redirects == count, "\(options)")
                }
            }
        }
    }
}
