import Foundation

/// Programs run to their end.
enum Command {
    /// The part of our environment that every program gets: the report settings of sanitizers.
    private static let passedOn = ProcessInfo.processInfo.environment.filter {
        ["ASAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS"].contains($0.key)
    }

    struct Result: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs the program with this environment plus the sanitizers' options. Input and output are files, so that no pipe
    /// fills up.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: Data? = nil
    ) async throws -> Result {
        try await withTemporaryDirectory { directory in
            let (output, errors) = (directory.appending(path: "output"), directory.appending(path: "errors"))
            let source = directory.appending(path: "input")
            try input?.write(to: source)
            let (process, exit) = try start(
                program, arguments, environment: environment, output: output, errors: errors,
                input: input == nil ? nil : source)
            let status = await exit.first { _ in true }
            return try Result(
                status: status ?? process.terminationStatus,
                output: String(decoding: Data(contentsOf: output), as: UTF8.self),
                errors: String(decoding: Data(contentsOf: errors), as: UTF8.self))
        }
    }

    /// Starts the program. The stream yields its exit status once; for a signal, its number plus 128.
    static func start(
        _ program: String, _ arguments: [String], environment: [String: String], output: URL, errors: URL,
        input: URL? = nil
    ) throws -> (process: Process, exit: AsyncStream<Int32>) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let standing = passedOn.merging(["PATH": "/usr/local/bin:/usr/bin:/bin"]) { given, _ in given }
        process.environment = environment.merging(standing) { given, _ in given }
        // The child has copies of these. A Process that is kept would keep them open, and Foundation's next start
        // crashes in a program with a thousand descriptors.
        let files = try [input.map { try FileHandle(forReadingFrom: $0) }, emptyFile(output), emptyFile(errors)]
        defer { for file in files { try? file?.close() } }
        process.standardInput = files[0] ?? FileHandle.nullDevice
        process.standardOutput = files[1]
        process.standardError = files[2]
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

/// Runs the body with a folder that is removed afterwards.
func withTemporaryDirectory<Value: Sendable>(_ body: (URL) async throws -> Value) async throws -> Value {
    let directory = FileManager.default.temporaryDirectory.appending(path: "presign-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory)
}
