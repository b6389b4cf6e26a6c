package import Foundation

/// A directory of one test, removed with its last reference.
package final class TemporaryDirectory: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("local-storage-\(UUID().uuidString)").path
        // The store requires this mode, whatever the umask.
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and creates its parent folders.
    package func write(_ content: [UInt8], to name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(content).write(to: url)
    }

    /// Every file below the folder, with its content.
    package func files(in folder: String = "") throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path + folder) {
            let url = URL(fileURLWithPath: "\(path)\(folder)/\(name)")
            if try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                files[name] = try Data(contentsOf: url)
            }
        }
        return files
    }
}
