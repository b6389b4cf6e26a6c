import Foundation
import TestSupport
import Testing

/// An application that shows private images with plain tags. Its page, the service and the storage have an origin each,
/// and it has a service worker of its own.
struct ImageSite: Sendable {
    let scenario: Scenario
    /// What reaches the storage.
    let proxy: LoggingProxy
    let page: String
    let browser: Browser

    /// Runs the body with a browser that shows the page.
    static func run(in kind: Browser.Kind, _ body: (ImageSite) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "secret")
            try Data(secret.utf8).write(to: file)
            let issuer =
                "{name: users, issuer: app, audience: presign, algorithms: [HS256], secretFile: \"\(file.path())\"}"
            try await LoggingProxy.watching(try StorageKind.local.server) { proxy in
                let store = ["publicEndpoint": "http://127.0.0.1:\(proxy.port)", "links": "true"]
                try await Scenario.run(
                    on: .local, store: store, page: true, auth: "jwt: [\(issuer)]", rules: [rule],
                    sections: "cors: {origins: [\"*\"]}"
                ) { scenario in
                    let service = "http://\(scenario.service.address)"
                    let scripts = [
                        "/worker.js": worker(service), "/other.js": "addEventListener('fetch', () => {});",
                        // It has the line only where registerWorker registers it, as after an update.
                        "/updated.js":
                            "skipWaiting(); if (location.search) importScripts('\(service)/presign-worker.js')",
                    ]
                    try await ScriptedServer.run(page: html(service, scenario.prefix), scripts: scripts) { server in
                        try await Browser.open(kind) { browser in
                            let page = "http://127.0.0.1:\(server.port)/"
                            let site = ImageSite(scenario: scenario, proxy: proxy, page: page, browser: browser)
                            try await site.open()
                            try await body(site)
                        }
                    }
                }
            }
        }
    }

    private static let secret = "the secret of the application's issuer"

    /// Users read their own folder; the key of the scenario writes. With a window, all URLs of an object are equal.
    private static let rule =
        "{path: \"*/{identity}/**\", allow: {owner: [get], \"caller:tester\": [get, write]}, expires: {window: 1d}}"

    /// `headers` of presign.js returns those of `tokens`, of which all but the last are used once.
    private static func html(_ service: String, _ prefix: String) -> String {
        """
        <!doctype html><title>app</title><link rel="icon" href="data:,"><body>
        <script type="module">
          import { Presign } from "\(service)/presign.js";
          window.tokens = [];
          const headers = () => {
            const token = tokens.length > 1 ? tokens.shift() : tokens[0];
            return token ? { authorization: `Bearer ${token}` } : {};
          };
          window.presign = new Presign({ endpoint: "\(service)", headers });
          window.link = (path) => `\(service)/o/\(prefix)${path}`;
          window.show = (tag, path, members = {}) => new Promise((resolve) => {
            const element = Object.assign(document.createElement(tag), members);
            element.onload = element.onloadedmetadata = () => resolve(true);
            element.onerror = () => resolve(false);
            element.src = link(path);
            document.body.append(element);
          });
          window.ask = (question) => new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = ({ data }) => resolve(data);
            navigator.serviceWorker.controller.postMessage(question, [port2]);
          });
        </script>
        """
    }

    /// The application's own worker: it counts requests for images, can hold its requests to the service until a number
    /// of images was asked for, and tells its id, which is another one after it was stopped.
    private static func worker(_ service: String) -> String {
        """
        const id = crypto.randomUUID(), { fetch: send } = self;
        let missing = 0, release, held;
        addEventListener("message", ({ data, ports }) => {
          if (data.hold) {
            missing = data.hold;
            held = new Promise((resolve) => { release = resolve; });
          }
          if (data.hold || data.who) ports[0].postMessage(id);
        });
        addEventListener("fetch", ({ request }) => {
          if (request.destination === "image" && (missing -= 1) === 0) release();
        });
        self.fetch = async (...request) => {
          await held;
          return send(...request);
        };
        importScripts("\(service)/presign-worker.js");
        """
    }

    /// Opens the page in the current tab.
    func open() async throws {
        try await browser.go(to: page)
        try await browser.wait(until: "window.ask !== undefined")
    }

    /// Signs a user in; nil signs out.
    func signIn(_ user: String?) async throws {
        try await browser.run("window.tokens = [\(user.map { "'\(Self.token($0))'" } ?? "")]")
    }

    /// A token of a user, valid for an hour, or expired for an hour.
    static func token(_ user: String, isExpired: Bool = false) -> String {
        let end = Int(Date().timeIntervalSince1970) + (isExpired ? -3600 : 3600)
        return TokenSigner.secret(Array(secret.utf8)).token(
            "HS256", header: #"{"alg":"HS256"}"#,
            claims: #"{"iss":"app","aud":"presign","sub":"\#(user)","exp":\#(end)}"#)
    }

    /// Registers the worker, which controls the page afterwards.
    func register() async throws {
        try await browser.run("return presign.registerWorker('/worker.js')")
        #expect(try await browser.evaluate("return navigator.serviceWorker.controller !== null", as: Bool.self))
    }

    /// Uploads an image.
    func put(_ path: String) async throws {
        let image = #"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>"#
        try await scenario.put(image, at: path, ["contentType": "image/svg+xml"])
    }

    /// Shows an object with a tag of its own; returns whether it was loaded.
    func shows(_ path: String, with tag: String = "img", _ members: String = "{}") async throws -> Bool {
        try await browser.evaluate("return show('\(tag)', '\(path)', \(members))")
    }

    /// The members of a tag that makes requests with CORS, which no cached response to a plain tag answers.
    static let crossOrigin = "{crossOrigin: 'anonymous'}"

    /// The number of requests to a route, or of those that had a status.
    func count(_ route: String, _ status: Int? = nil) async throws -> Int {
        let metrics = try await HTTP.send("GET", "http://\(scenario.service.address)/metrics").text
        let start = "presign_http_requests_total{route=\"\(route)\",status=\"" + (status.map { "\($0)\"" } ?? "")
        let lines = metrics.split(separator: "\n").filter { $0.hasPrefix(start) }
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }

    /// The batches that were signed, those that were refused, and the requests for links that reached the service.
    func requests() async throws -> [Int] {
        [
            try await count("/presign/batch", 200), try await count("/presign/batch", 401),
            try await count("/o/{path}"),
        ]
    }
}
