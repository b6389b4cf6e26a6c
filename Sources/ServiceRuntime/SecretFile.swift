import LocalStorage
import System
import Text

/// A file of one line in the directory of the local storage, with a secret of the service: `api-key`, `share-key`. Only
/// the owner may read it.
struct SecretFile {
    /// The maximum size in bytes.
    private static let limit = 4096

    let name: String
    /// The path of the directory, which the storage has created and checked.
    let directory: String

    /// Returns the first line without its line feed; nil if the file does not exist.
    ///
    /// - Throws: if another user owns the file or may read or change it, or if it cannot be read, is larger than 4096
    ///   bytes or not UTF-8.
    func secret() throws -> String? {
        let content: [UInt8]
        do {
            content = try Directory(existing: directory).openSecret(name, in: directory)
                .read(at: 0, count: Self.limit + 1)
        } catch let error as SystemError {
            if error.isAbsence { return nil }
            throw unusable("\(error)")
        }
        guard content.count <= Self.limit, let text = String(validating: content, as: UTF8.self) else {
            throw unusable("it is larger than \(Self.limit) bytes or not UTF-8; remove it to create a new key")
        }
        return String(decoding: text.utf8.prefix { $0 != ASCII.lineFeed }, as: UTF8.self)
    }

    /// Replaces the file atomically, because a partially written key would lock out every caller. The secret is durable
    /// when this returns.
    ///
    /// - Parameter secret: one line.
    func store(_ secret: String) throws {
        let unfinished = name + ".new"
        do throws(SystemError) {
            let directory = try Directory(existing: directory)
            // An attempt that failed may have left the file.
            try directory.removeTree(unfinished)
            let file = try directory.createFile(unfinished)
            try file.write(Array("\(secret)\n".utf8).span)
            try file.sync()
            try directory.move(unfinished, to: directory, as: name)
            try directory.sync()
        } catch {
            throw unusable("\(error)")
        }
    }

    private func unusable(_ reason: String) -> ProgramFailure {
        ProgramFailure(.system, "cannot use \(directory)/\(name): \(reason)")
    }
}
