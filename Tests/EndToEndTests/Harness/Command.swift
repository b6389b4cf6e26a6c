import Foundation

/// A program run to its end.
enum Command {
    struct Result: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs the program with this environment and nothing of ours; its output goes to files, so that no pipe fills up.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Result {
        try await withTemporaryDirectory { directory in
            let (output, errors) = (directory.appending(path: "output"), directory.appending(path: "errors"))
            let (process, exit) = try start(
                program, arguments, environment: environment, output: output, errors: errors)
            let status = await exit.first { _ in true }
            return try Result(
                status: status ?? process.terminationStatus,
                output: String(decoding: Data(contentsOf: output), as: UTF8.self),
                errors: String(decoding: Data(contentsOf: errors), as: UTF8.self))
        }
    }

    /// Starts the program; the stream gives its exit status (a signal's number plus 128) once.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String], output: URL, errors: URL
    ) throws -> (process: Process, exit: AsyncStream<Int32>) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = environment.merging(["PATH": "/usr/local/bin:/usr/bin:/bin"]) { given, _ in given }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try emptyFile(output)
        process.standardError = try emptyFile(errors)
        let (exit, continuation) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { ended in
            continuation.yield(ended.terminationStatus + (ended.terminationReason == .exit ? 0 : 128))
            continuation.finish()
        }
        try process.run()
        return (process, exit)
    }

    private static func emptyFile(_ url: URL) throws -> FileHandle {
        try Data().write(to: url)
        return try FileHandle(forWritingTo: url)
    }
}

/// A folder that is gone afterwards.
func withTemporaryDirectory<Value: Sendable>(_ body: (URL) async throws -> Value) async throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appending(path: "presign-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}
