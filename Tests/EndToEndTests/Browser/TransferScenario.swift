import Foundation
import Testing

/// A browser with a page of `presign serve --local`, which can be killed and started again at the same addresses.
struct TransferScenario: Sendable {
    let browser: Browser
    let key: String
    private let server: Restartable
    /// A folder for files.
    let directory: URL

    /// Opens the page, runs the body, and ends the service.
    ///
    /// - Parameter storageSize: The size of the file system for the storage, such as `64m`; nil for the machine's own.
    static func run(
        in kind: Browser.Kind, storageSize: String? = nil, _ body: (TransferScenario) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let server = try Restartable(in: directory, storageSize: storageSize)
            try await server.start()
            let outcome: Result<Void, any Error>
            do {
                let key = try await server.apiKey
                outcome = .success(
                    try await Browser.open(kind) { browser in
                        let scenario = TransferScenario(
                            browser: browser, key: key, server: server, directory: directory)
                        try await scenario.load()
                        try await body(scenario)
                    })
            } catch {
                outcome = .failure(error)
            }
            await server.kill()
            try outcome.get()
        }
    }

    var origin: String { "http://\(server.address)" }

    /// Loads the page, which ends what ran in it.
    func load() async throws {
        try await browser.go(to: origin + "/favicon.svg")
        try await browser.go(to: origin + "/")
    }

    func kill() async { await server.kill() }
    func start() async throws { try await server.start() }

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

    /// The SHA-256 of a stored object, read without a browser; nil if there is none.
    func storedDigest(_ path: String) async throws -> String? {
        let fields = try JSONSerialization.data(withJSONObject: ["path": path])
        let response = try await Curl.send(
            "POST", "\(origin)/presign",
            headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"], body: fields)
        let url = try JSONDecoder().decode(Grant.self, from: response.body).url
        let result = try await Command.run(
            "/bin/bash", ["-c", "set -o pipefail; curl -sSf \"$0\" | sha256sum", url])
        return result.status == 0 ? String(result.output.prefix(64)) : nil
    }

    /// The number of multipart uploads that the storage keeps.
    var unfinishedUploads: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: server.data.appending(path: "uploads").path()).count
        }
    }
}

/// `presign serve --local` at addresses that stay the same when it is started again.
private actor Restartable {
    nonisolated let address: String
    nonisolated let data: URL
    private let directory: URL
    private let storage: String
    private let storageSize: String?
    private var process: LocalProcess?
    private(set) var key = ""

    init(in directory: URL, storageSize: String?) throws {
        self.directory = directory
        self.storageSize = storageSize
        data = directory.appending(path: "data")
        address = "127.0.0.1:\(try FreePort.next())"
        storage = "127.0.0.1:\(try FreePort.next())"
    }

    func start() async throws {
        let binary = try #require(PresignProcess.binary)
        let arguments = [
            "serve", "--local", data.path(), "--listen", address, "--local-listen", storage,
        ]
        guard let storageSize else {
            process = try await LocalProcess.start(in: directory, program: (binary, arguments, [:]))
            return
        }
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        // A file system in the service's own mount namespace, which ends with the process.
        let script = #"mount -t tmpfs -o size=\#(storageSize),mode=0700 presign '\#(data.path())' && exec "$0" "$@""#
        let wrapper = ["--mount", "/bin/sh", "-c", script, binary] + arguments
        process = try await LocalProcess.start(in: directory, program: ("/usr/bin/unshare", wrapper, [:]))
    }

    /// Ends it like a crash.
    func kill() async {
        _ = await process?.end(SIGKILL)
        process = nil
    }

    /// The API key, which is printed at the first start.
    var apiKey: String {
        get throws {
            if key.isEmpty { key = try #require(process).apiKey }
            return key
        }
    }
}
