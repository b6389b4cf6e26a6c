import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// A headless browser without any data of a site, driven with W3C WebDriver. Chromium also has the DevTools protocol, for
/// what WebDriver has no command for.
struct Browser: Sendable {
    /// A browser, and the program that drives it.
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case chromium
        case firefox

        /// The kinds for a test whose result hardly depends on the browser: only a long run has all.
        static func atLeast(_ kind: Kind) -> [Kind] { isLongRun ? allCases : [kind] }

        var testDescription: String { rawValue }

        var driver: (program: String, arguments: [String]) {
            switch self {
            case .chromium: ("/usr/bin/chromedriver", ["--port=0"])
            case .firefox: ("/usr/bin/python3", [Python.script("firefox_driver")])
            }
        }
    }

    /// The seconds that a script may take, here and in firefox_driver.py. The largest transfer takes minutes.
    static let scriptTimeout = 600

    /// The folder for downloads.
    let downloads: URL
    let kind: Kind
    private let session: String

    /// Runs the body with a browser.
    ///
    /// - Parameter recordsNetwork: Whether `preflights` has results.
    static func open<Value: Sendable>(
        _ kind: Kind = .chromium, recordsNetwork: Bool = false, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryDirectory { downloads in
            try await RunningBrowsers.lend(kind, recordsNetwork: recordsNetwork) { running in
                let browser = Browser(running, downloads: downloads)
                try await browser.prepare()
                return try await body(browser)
            }
        }
    }

    private init(_ running: RunningBrowser, downloads: URL) {
        (kind, session) = (running.kind, running.session)
        self.downloads = downloads
    }

    /// Removes what another test left.
    private func prepare() async throws {
        let old: [String] = try await command("GET", "/window/handles")
        try await openTab()
        let new = try await tab
        for handle in old {
            try await switchTo(handle)
            let _: [String] = try await command("DELETE", "/window")
        }
        try await switchTo(new)
        guard kind == .chromium else {
            let _: Nothing = try await command("POST", "/forget", [:])
            return
        }
        try await devTools("Storage.clearDataForOrigin", ["origin": "*", "storageTypes": "all"])
        try await devTools("Network.clearBrowserCache")
        try await devTools("Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": downloads.path()])
        _ = try await complaints()
    }
}

extension Browser {
    /// The value of a command without a result.
    struct Nothing: Decodable, Sendable {}

    /// The wrapper of every WebDriver value.
    private struct Envelope<Value: Decodable>: Decodable {
        let value: Value?
    }

    /// Sends a WebDriver command to the session.
    func command<Value: Decodable & Sendable>(
        _ method: String, _ path: String, _ body: [String: any Sendable]? = nil
    ) async throws -> Value {
        try await Self.send(method, session + path, body)
    }

    /// Sends a DevTools command to the page.
    func devTools(_ name: String, _ parameters: [String: any Sendable] = [:]) async throws {
        let _: Nothing = try await command(
            "POST", "/goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    /// Whether a condition holds in the current page; false also while the browser navigates, which ends its script.
    func holds(_ condition: String) async throws -> Bool {
        let body: [String: any Sendable] = ["script": "return (\(condition)) === true", "args": [String]()]
        let response = try await Self.response("POST", session + "/execute/sync", body)
        guard response.status == 200 else { return false }
        return try JSONDecoder().decode(Envelope<Bool>.self, from: Data(response.body)).value == true
    }

    static func send<Value: Decodable>(
        _ method: String, _ url: String, _ body: [String: any Sendable]?
    ) async throws -> Value {
        let response = try await response(method, url, body)
        try #require(response.status == 200, "\(method) \(url): \(response.text)")
        let value = try JSONDecoder().decode(Envelope<Value>.self, from: Data(response.body)).value
        if let nothing = Nothing() as? Value { return value ?? nothing }
        return try #require(value, "\(method) \(url) returned no value")
    }

    /// Uses no curl, because a test sends up to hundreds of commands.
    private static func response(
        _ method: String, _ url: String, _ body: [String: any Sendable]?
    ) async throws -> RawResponse {
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let target = try #require(URL(string: url))
        let port = UInt16(try #require(target.port))
        let head = """
            \(method) \(target.path()) HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Content-Type: application/json\r
            Content-Length: \(data.count)\r
            Connection: close\r
            \r

            """
        return try await withCheckedThrowingContinuation { continuation in
            // Blocks until the script has ended, so no thread of Swift's pool runs it.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let client = try RawClient(port: port, timeout: scriptTimeout + 20)
                        client.send(Array(head.utf8) + data)
                        guard let response = try client.response() else {
                            throw RawClient.Failure(description: "\(method) \(url): the driver closed the connection")
                        }
                        return response
                    })
            }
        }
    }
}
