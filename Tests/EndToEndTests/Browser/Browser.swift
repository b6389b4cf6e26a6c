import Foundation
import Testing

/// A headless browser with its own profile, driven with W3C WebDriver. Chromium also has the DevTools protocol, for
/// what WebDriver has no command for.
struct Browser: Sendable {
    /// A browser, and the program that drives it.
    enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case chromium
        case firefox

        var testDescription: String { rawValue }

        fileprivate var driver: (program: String, arguments: [String]) {
            switch self {
            case .chromium: ("/usr/bin/chromedriver", ["--port=0"])
            case .firefox: ("/usr/bin/python3", [Python.script("firefox_driver")])
            }
        }
    }

    /// The seconds that a script may take, here and in firefox_driver.py. The largest transfer takes minutes.
    private static let scriptTimeout = 600

    /// The folder for downloads.
    let downloads: URL
    let kind: Kind
    private let session: String

    /// Runs the body with a new browser, then closes it.
    static func open<Value: Sendable>(
        _ kind: Kind = .chromium, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryDirectory { directory in
            // Chromedriver takes a port that is free on IPv6, and another process may use it on IPv4.
            for _ in 0..<4 {
                do {
                    return try await besideDriver(of: kind, in: directory, body)
                } catch let failure as DidNotStart where failure.output.contains("port not available") {
                    continue
                }
            }
            return try await besideDriver(of: kind, in: directory, body)
        }
    }

    private static func besideDriver<Value: Sendable>(
        of kind: Kind, in directory: URL, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let output = directory.appending(path: "driver")
        let (process, exit) = try Command.start(
            kind.driver.program, kind.driver.arguments,
            environment: ["HOME": directory.path(), "TMPDIR": directory.path()],
            output: output, errors: directory.appending(path: "errors"))
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(
                try await beside("http://127.0.0.1:\(try await port(process, output))", kind, directory, body))
        } catch {
            outcome = .failure(error)
        }
        // SIGKILL, because the process inherits a mask that blocks the termination signals.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        _ = await exit.first { _ in true }
        return try outcome.get()
    }

    private static func beside<Value: Sendable>(
        _ driver: String, _ kind: Kind, _ directory: URL, _ body: (Browser) async throws -> Value
    ) async throws -> Value {
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await body(try await Browser(kind, driver: driver, in: directory)))
        } catch {
            outcome = .failure(error)
        }
        // Also ends the browser.
        _ = try await Curl.send("GET", "\(driver)/shutdown")
        return try outcome.get()
    }

    private init(_ kind: Kind, driver: String, in directory: URL) async throws {
        self.kind = kind
        downloads = directory.appending(path: "downloads")
        try FileManager.default.createDirectory(at: downloads, withIntermediateDirectories: false)
        let options: [String: any Sendable] = [
            "binary": "/usr/bin/chromium",
            // Root, the user in many containers, cannot use the sandbox.
            "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,900",
                "--host-resolver-rules=MAP *.test 127.0.0.1",
            ],
        ]
        let capabilities: [String: any Sendable] = [
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
            "timeouts": ["script": Self.scriptTimeout * 1000],
        ]
        struct Session: Decodable { let sessionId: String }
        let made: Session = try await Self.send(
            "POST", "\(driver)/session", ["capabilities": ["alwaysMatch": capabilities]])
        session = "\(driver)/session/\(made.sessionId)"
        guard kind == .chromium else { return }
        try await devTools(
            "Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": downloads.path()])
    }

    struct DidNotStart: Error { let output: String }

    /// The port that the driver selected and printed.
    private static func port(_ process: Process, _ output: URL) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(60)
        while process.isRunning, ContinuousClock.now < deadline {
            let text = try String(contentsOf: output, encoding: .utf8)
            if let match = text.firstMatch(of: /started successfully on port (\d+)/) { return String(match.1) }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw DidNotStart(output: try String(contentsOf: output, encoding: .utf8))
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

    private static func send<Value: Decodable>(
        _ method: String, _ url: String, _ body: [String: any Sendable]?
    ) async throws -> Value {
        let data = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        let response = try await Curl.send(
            method, url, headers: data == nil ? [:] : ["Content-Type": "application/json"], body: data,
            timeout: scriptTimeout + 20)
        try #require(response.status == 200, "\(method) \(url): \(response.text)")
        let value = try JSONDecoder().decode(Envelope<Value>.self, from: response.body).value
        if let nothing = Nothing() as? Value { return value ?? nothing }
        return try #require(value, "\(method) \(url) returned no value")
    }
}
