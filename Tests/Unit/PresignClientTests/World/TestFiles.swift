import Foundation
import Testing

@testable import PresignClient

/// Runs the body with a world and a folder that is removed afterwards.
func withWorld(_ body: (World, URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "presign-client-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(World(), folder)
}

extension URL {
    /// Writes a file of this folder, whose bytes differ from part to part.
    func file(_ name: String, size: Int) throws -> URL {
        let file = appending(path: name)
        try content(size).write(to: file)
        return file
    }

    /// The names in the folder with the records.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    /// Whether the transfers with these records have removed them, and others can continue them.
    func isReleased(by records: [String]) -> Bool {
        names.isEmpty && !records.contains { name in Claim.isHeld(String(name.prefix { $0 != "." })) }
    }
}

func content(_ size: Int) -> Data {
    let block = Data((0..<1021).map { UInt8(truncatingIfNeeded: $0) })
    var data = Data(capacity: size)
    while data.count + block.count <= size { data.append(block) }
    data.append(block.prefix(size - data.count))
    return data
}

/// Waits until the condition holds. Fails after 10,000 looks, not after a time, because other tests may use all cores.
func until(_ condition: () -> Bool, _ location: SourceLocation = #_sourceLocation) async throws {
    for _ in 0..<10_000 {
        if condition() { return }
        try await Task.sleep(for: .milliseconds(1))
    }
    try #require(condition(), sourceLocation: location)
}

/// The code of the error that the body throws.
func code<Value>(_ body: () async throws -> Value) async -> StorageErrorCode? {
    do {
        _ = try await body()
        return nil
    } catch {
        let known = (error as? StorageError)?.code ?? (error as? StorageFailure)?.code
        return known ?? StorageErrorCode(rawValue: "\(type(of: error))")
    }
}

extension Locked<Int> {
    /// Counts a call, beginning with 1.
    func next() -> Int {
        with { count in
            count += 1
            return count
        }
    }
}
