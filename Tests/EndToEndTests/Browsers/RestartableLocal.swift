import Foundation
import Testing

/// A storage that can be killed and started again with its data, at the same address.
protocol RestartableStorage: Sendable {
    func start() async throws
    /// Ends it like a crash.
    func kill() async
    /// The number of multipart uploads that it keeps.
    var unfinishedUploads: Int { get async throws }
}

/// `presign serve --local` at addresses that stay the same when it is started again.
actor RestartableLocal: RestartableStorage {
    nonisolated let address: String
    private let data: URL
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

    var unfinishedUploads: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "uploads").path()).count
        }
    }
}
