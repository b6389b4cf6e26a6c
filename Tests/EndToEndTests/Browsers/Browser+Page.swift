import Foundation
import TestSupport
import Testing

/// User actions on a page, and checks of its state.
extension Browser {
    func go(to url: String) async throws {
        let _: Nothing = try await command("POST", "/url", ["url": url])
    }

    /// Reloads the page; ends when the new document is complete.
    func reload() async throws {
        let _: Nothing = try await command("POST", "/refresh", [String: String]())
    }

    /// The value of a function body evaluated in the page; promises are awaited.
    func evaluate<Value: Decodable & Sendable>(_ script: String, as type: Value.Type = Value.self) async throws -> Value
    {
        try await command("POST", "/execute/sync", ["script": script, "args": [String]()])
    }

    func run(_ script: String) async throws {
        let _: Nothing = try await command("POST", "/execute/sync", ["script": script, "args": [String]()])
    }

    /// Waits in the page until the expression is true.
    func wait(until condition: String) async throws {
        try await run(
            """
            return new Promise((resolve, reject) => {
              const end = performance.now() + 20000;
              (function look() {
                if (\(condition)) resolve();
                else if (performance.now() > end) reject(new Error(document.body.innerText));
                else setTimeout(look, 20);
              })();
            })
            """)
    }

    func click(_ selector: String) async throws {
        let _: Nothing = try await command("POST", "/element/\(try await element(selector))/click", [:])
    }

    /// Types into the element; for a file input, the paths of the files.
    func type(_ text: String, into selector: String) async throws {
        let _: Nothing = try await command("POST", "/element/\(try await element(selector))/value", ["text": text])
    }

    func choose(_ files: [URL]) async throws {
        try await type(files.map { $0.path() }.joined(separator: "\n"), into: "#files")
    }

    /// Presses and releases keys in order, in the focused element.
    func press(_ keys: String) async throws {
        let strokes = keys.flatMap { key in
            [["type": "keyDown", "value": String(key)], ["type": "keyUp", "value": String(key)]]
        }
        let keyboard: [String: any Sendable] = ["type": "key", "id": "keyboard", "actions": strokes]
        let _: Nothing = try await command("POST", "/actions", ["actions": [keyboard]])
    }

    private func element(_ selector: String) async throws -> String {
        let found: [String: String] = try await command(
            "POST", "/element", ["using": "css selector", "value": selector])
        return try #require(found.values.first)
    }

    /// Limits uploads to this many bytes per second; nil removes the limit.
    func limitUploads(to bytesPerSecond: Int?) async throws {
        try await devTools("Network.enable")
        try await devTools(
            "Network.emulateNetworkConditions",
            [
                "offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytesPerSecond ?? -1,
            ])
    }

    /// Disconnects the browser from all servers, or connects it again.
    func setOffline(_ isOffline: Bool) async throws {
        if kind == .firefox {
            let _: Nothing = try await command("POST", "/offline", ["offline": isOffline])
            return
        }
        try await devTools("Network.enable")
        try await devTools(
            "Network.emulateNetworkConditions",
            ["offline": isOffline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1])
    }

    /// Stops all service workers, as a browser does when they have nothing to do.
    func stopWorkers() async throws {
        if kind == .firefox {
            let _: Nothing = try await command("POST", "/stop-workers", [:])
            return
        }
        try await devTools("ServiceWorker.enable")
        try await devTools("ServiceWorker.stopAllWorkers")
    }

    /// Opens a tab of the same profile and switches to it.
    func openTab() async throws {
        struct Window: Decodable { let handle: String }
        let window: Window = try await command("POST", "/window/new", ["type": "tab"])
        try await switchTo(window.handle)
    }

    /// The tab in which commands are performed.
    var tab: String { get async throws { try await command("GET", "/window") } }

    func switchTo(_ tab: String) async throws {
        let _: Nothing = try await command("POST", "/window", ["handle": tab])
    }

    /// The content of a complete download with this name.
    ///
    /// - Parameter count: Its size in bytes; a smaller file is still being downloaded.
    func downloaded(_ name: String, count: Int) async throws -> Data {
        let file = downloads.appending(path: name)
        #expect(try await eventually { try Self.size(of: file) >= count })
        return try Data(contentsOf: file)
    }

    private static func size(of file: URL) throws -> Int {
        guard FileManager.default.fileExists(atPath: file.path()) else { return -1 }
        return try FileManager.default.attributesOfItem(atPath: file.path())[.size] as? Int ?? -1
    }
}

/// Events recorded by the browser.
extension Browser {
    /// Console lines above "info" since the last call: script errors, policy violations, failed requests.
    func complaints() async throws -> [String] {
        try await log("browser").filter { !["INFO", "DEBUG"].contains($0.level) }.map(\.message)
    }

    /// The URLs that had a CORS preflight since the last call, in a browser that records them.
    func preflights() async throws -> [String] {
        struct Line: Decodable {
            let message: Event
            struct Event: Decodable {
                let method: String
                let params: Parameters
            }
            struct Parameters: Decodable {
                let initiator: Initiator?
                let request: Request?
            }
            struct Initiator: Decodable { let type: String }
            struct Request: Decodable { let url: String }
        }
        return try await log("performance").compactMap { entry in
            let event = try JSONDecoder().decode(Line.self, from: Data(entry.message.utf8)).message
            guard event.method == "Network.requestWillBeSent", event.params.initiator?.type == "preflight" else {
                return nil
            }
            return event.params.request?.url
        }
    }

    private struct Entry: Decodable {
        let level: String
        let message: String
    }

    private func log(_ name: String) async throws -> [Entry] {
        try await command("POST", "/se/log", ["type": name])
    }
}
