import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// A headless browser without any data of a site, driven with W3C WebDriver. Chromium also has the DevTools protocol, for
/// what WebDriver has no command for.
struct Browser: Sendable {
    /// A browser, and the program that drives it.
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case chromium
        case firefox

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
    static func open<Value: Sendable>(
        _ kind: Kind = .chromium, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryDirectory { downloads in
            try await RunningBrowsers.lend(kind) { running in
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
        _ = try await preflights()
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
        let (status, data) = try await Self.response("POST", session + "/execute/sync", body)
        guard status == 200 else { return false }
        return try JSONDecoder().decode(Envelope<Bool>.self, from: data).value == true
    }

    static func send<Value: Decodable>(
        _ method: String, _ url: String, _ body: [String: any Sendable]?
    ) async throws -> Value {
        let (status, data) = try await response(method, url, body)
        try #require(status == 200, "\(method) \(url): \(String(decoding: data, as: UTF8.self))")
        let value = try JSONDecoder().decode(Envelope<Value>.self, from: data).value
        if let nothing = Nothing() as? Value { return value ?? nothing }
        return try #require(value, "\(method) \(url) returned no value")
    }

    /// Not curl, because a test sends up to hundreds of commands.
    private static let drivers = URLSession(configuration: .ephemeral)

    private static func response(
        _ method: String, _ url: String, _ body: [String: any Sendable]?
    ) async throws -> (status: Int, data: Data) {
        var request = URLRequest(url: try #require(URL(string: url)), timeoutInterval: Double(scriptTimeout + 20))
        request.httpMethod = method
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONSerialization.data(withJSONObject: body)
        }
        let (data, response) = try await drivers.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }
}
