import Foundation
import TestSupport
import Testing

/// A browser that runs, and the program that drives it.
struct RunningBrowser: Sendable {
    let kind: Browser.Kind
    /// The URL of its WebDriver session.
    let session: String
    private let driver: String
    private let process: Process
    private let exit: AsyncStream<Int32>
    /// The folder for the files of both.
    private let directory: URL

    /// Starts a browser.
    ///
    /// - Parameter recordsNetwork: Whether Chromium records its requests, which makes every page a quarter slower.
    static func start(_ kind: Browser.Kind, recordsNetwork: Bool) async throws -> RunningBrowser {
        // Chromedriver takes a port that is free on IPv6, and another process may use it on IPv4.
        for _ in 0..<4 {
            do {
                return try await RunningBrowser(kind, recordsNetwork)
            } catch let failure as DidNotStart where failure.output.contains("port not available") {
                continue
            }
        }
        return try await RunningBrowser(kind, recordsNetwork)
    }

    private init(_ kind: Browser.Kind, _ recordsNetwork: Bool) async throws {
        self.kind = kind
        directory = FileManager.default.temporaryDirectory.appending(path: "presign-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        let output = directory.appending(path: "driver")
        (process, exit) = try Command.start(
            kind.driver.program, kind.driver.arguments,
            environment: ["HOME": directory.path(), "TMPDIR": directory.path()],
            output: output, errors: directory.appending(path: "errors"))
        do {
            driver = "http://127.0.0.1:\(try await Self.port(process, output))"
            struct Session: Decodable { let sessionId: String }
            let made: Session = try await Browser.send(
                "POST", "\(driver)/session", ["capabilities": ["alwaysMatch": Self.capabilities(recordsNetwork)]])
            session = "\(driver)/session/\(made.sessionId)"
        } catch {
            // SIGKILL, because the process inherits a mask that blocks the termination signals.
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            throw error
        }
    }

    private static func capabilities(_ recordsNetwork: Bool) -> [String: any Sendable] {
        let options: [String: any Sendable] = [
            "binary": "/usr/bin/chromium",
            // Root, the user in many containers, cannot use the sandbox.
            "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,900",
                "--host-resolver-rules=MAP *.test 127.0.0.1",
            ],
        ]
        return [
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": recordsNetwork ? ["browser": "ALL", "performance": "ALL"] : ["browser": "ALL"],
            "timeouts": ["script": Browser.scriptTimeout * 1000],
        ]
    }

    /// Ends the browser and its driver.
    func end() async throws {
        // Also ends the browser.
        _ = try await HTTP.send("GET", "\(driver)/shutdown")
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        _ = await exit.first { _ in true }
        try FileManager.default.removeItem(at: directory)
    }

    private struct DidNotStart: Error { let output: String }

    /// The port that the driver selected and printed.
    private static func port(_ process: Process, _ output: URL) async throws -> String {
        func text() throws -> String { try String(contentsOf: output, encoding: .utf8) }
        let port = try await found(within: .seconds(180)) {
            guard process.isRunning else { throw DidNotStart(output: try text()) }
            return try text().firstMatch(of: /started successfully on port (\d+)/).map { String($0.1) }
        }
        guard let port else { throw DidNotStart(output: try text()) }
        return port
    }
}

/// The browsers of a suite. Its tests use them one after another, because starting a browser takes a core for seconds.
actor RunningBrowsers {
    @TaskLocal private static var ofSuite = RunningBrowsers()

    private var idle: [RunningBrowser] = []

    /// Runs the body with browsers that its tests share.
    static func sharing(_ body: () async throws -> Void) async throws {
        let browsers = RunningBrowsers()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await $ofSuite.withValue(browsers) { try await body() }) } catch {
            outcome = .failure(error)
        }
        for browser in await browsers.idle { try await browser.end() }
        try outcome.get()
    }

    /// Runs the body with a browser that no other test uses. One whose test failed, or that records its requests, is not
    /// used again.
    static func lend<Value: Sendable>(
        _ kind: Browser.Kind, recordsNetwork: Bool, _ body: (RunningBrowser) async throws -> Value
    ) async throws -> Value {
        let browsers = ofSuite
        let idle = recordsNetwork ? nil : await browsers.take(kind)
        let browser = if let idle { idle } else { try await RunningBrowser.start(kind, recordsNetwork: recordsNetwork) }
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body(browser)) } catch { outcome = .failure(error) }
        if case .success = outcome, !recordsNetwork { await browsers.put(browser) } else { try await browser.end() }
        return try outcome.get()
    }

    private func take(_ kind: Browser.Kind) -> RunningBrowser? {
        idle.firstIndex { $0.kind == kind }.map { idle.remove(at: $0) }
    }

    private func put(_ browser: RunningBrowser) { idle.append(browser) }
}
