import Foundation
import TestSupport
import Testing

/// A browser with the page of a service, whose storage can be killed and started again.
struct TransferScenario: Sendable {
    /// A browser and a storage.
    struct Setting: Sendable, CustomTestStringConvertible {
        enum Storage: String {
            /// The one of `presign serve --local`, which ends with the service.
            case local
            case seaweedfs
        }

        let browser: Browser.Kind
        let storage: Storage

        /// Each browser and each storage once; a long run has each storage with every browser.
        static let present = atLeast([all[1], all[2]])
        /// One for a test that takes long, or whose result hardly depends on both.
        static let chromium = atLeast([all[1]])
        static let firefox = atLeast([all[2]])

        private static func atLeast(_ settings: [Setting]) -> [Setting] { isLongRun ? all : settings }

        private static let all = Browser.Kind.allCases.flatMap { browser in
            [.local, .seaweedfs].map { Setting(browser: browser, storage: $0) }
        }

        var testDescription: String { "\(browser), \(storage)" }
    }

    let browser: Browser
    let origin: String
    let key: String
    private let storage: (any RestartableStorage)?
    /// A folder for files.
    let directory: URL

    /// Opens the page, runs the body, and ends service and storage.
    static func run(in setting: Setting, _ body: (TransferScenario) async throws -> Void) async throws {
        switch setting.storage {
        case .local: try await run(in: setting.browser, body)
        case .seaweedfs:
            try await RestartableSeaweedFS.serving { storage, service in
                let origin = "http://\(service.address)"
                try await run(in: setting.browser, origin, service.apiKey, storage, storage.directory, body)
            }
        }
    }

    /// Does the same with the local storage.
    ///
    /// - Parameter storageSize: The size of the file system for the storage, such as `64m`; nil for the machine's own.
    static func run(
        in kind: Browser.Kind, storageSize: String? = nil, _ body: (TransferScenario) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let server = try RestartableLocal(in: directory, storageSize: storageSize)
            try await server.start()
            let outcome: Result<Void, any Error>
            do {
                let origin = "http://\(server.address)"
                outcome = .success(try await run(in: kind, origin, server.apiKey, server, directory, body))
            } catch {
                outcome = .failure(error)
            }
            await server.kill()
            try outcome.get()
        }
    }

    /// Does the same with a service that runs.
    static func run(
        in kind: Browser.Kind, _ origin: String, _ key: String, _ storage: (any RestartableStorage)? = nil,
        _ directory: URL = .temporaryDirectory, _ body: (TransferScenario) async throws -> Void
    ) async throws {
        try await Browser.open(kind) { browser in
            let scenario = TransferScenario(
                browser: browser, origin: origin, key: key, storage: storage, directory: directory)
            try await scenario.load()
            try await body(scenario)
        }
    }

    /// Loads the page, which ends what ran in it.
    func load() async throws {
        try await browser.go(to: origin + "/favicon.svg")
        try await browser.go(to: origin + "/")
    }

    func kill() async { await storage?.kill() }
    func start() async throws { try await storage?.start() }

    /// Runs a script with the client `presign`, and the functions below. Throws the error that the script throws.
    func run<Value: Decodable & Sendable>(_ script: String, as type: Value.Type = Value.self) async throws -> Value {
        try await browser.evaluate(
            """
            return (async () => {
              const { Presign, PresignError } = await import('/presign.js');
              const presign = window.presign ??= new Presign({ endpoint: location.origin, apiKey: '\(key)' });
              \(Self.functions)
              \(script)
            })().catch(({ name, code, message, stack }) => {
              // Chromedriver fails on errors with a property `status`.
              throw new Error(`${name} ${code}: ${message} ${stack}`);
            })
            """)
    }

    /// `makeFile(size, seed)` has content without repetitions, and is the same file after a reload. `digest(blob)` is
    /// its SHA-256 in hexadecimal. `reaches(transfer, bytes)` waits for progress. `failure(promise)` is its error.
    static let functions = """
        const makeFile = (size, seed = 1, name = 'file.bin') => {
          const pieces = [];
          let state = seed;
          for (let offset = 0; offset < size; offset += 4 << 20) {
            const words = new Uint32Array(1 << 20);
            for (let index = 0; index < words.length; index += 1) {
              state = Math.imul(state, 1664525) + 1013904223 | 0;
              words[index] = state ^ offset;
            }
            pieces.push(new Uint8Array(words.buffer, 0, Math.min(4 << 20, size - offset)));
          }
          return new File(pieces, name, { type: 'application/x-test', lastModified: 1700000000000 });
        };
        const digest = async (blob) => [...new Uint8Array(
          await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()))]
          .map((byte) => byte.toString(16).padStart(2, '0')).join('');
        const reaches = (transfer, bytes) => new Promise((resolve, reject) => {
          const look = () => { if (transfer.progress.loaded >= bytes) resolve(); };
          transfer.addEventListener('progress', look);
          transfer.then(resolve, reject);
          look();
        });
        const becomes = (transfer, state) => new Promise((resolve) => {
          const look = () => { if (transfer.state === state) resolve(); };
          transfer.addEventListener('statechange', look);
          look();
        });
        const failure = (promise) => promise.then(() => ({ code: 'none', message: 'no error' }),
          ({ name, code, message }) => ({ code: typeof code === 'string' ? code : name, message }));
        """

    /// The content of a stored object, read without a browser.
    func stored(_ path: String) async throws -> Data { try await HTTP.send("GET", url(of: path)).body }

    private func url(of path: String) async throws -> String {
        let response = try await HTTP.presign(["path": path], at: origin, key: key)
        return try JSONDecoder().decode(Grant.self, from: response.body).url
    }

    /// The SHA-256 of a stored object, read without a browser; nil if there is none.
    func storedDigest(_ path: String) async throws -> String? {
        let url = try await url(of: path)
        let result = try await Command.run(
            "/bin/bash", ["-c", "set -o pipefail; curl -sSf \"$0\" | openssl dgst -sha256 -r", url])
        return result.status == 0 ? String(result.output.prefix(64)) : nil
    }

    /// The number of multipart uploads that the storage keeps.
    var unfinishedUploads: Int { get async throws { try await #require(storage).unfinishedUploads } }
}
