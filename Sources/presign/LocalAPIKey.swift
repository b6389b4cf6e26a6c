import CryptoHashing
import PresignService
import SystemInterface

/// The API key of `serve --local` when the configuration lets nobody in: made once, shown once, kept as its hash.
struct LocalAPIKey {
    static let id = "local"
    /// The hash's file in the storage's directory.
    static let file = "api-key"

    let digest: SHA256Digest
    /// The key itself, in the run that made it.
    let text: String?

    /// The key whose hash the directory has, or a new one.
    static func keptOrNew(in directory: String) throws(CommandFailure) -> LocalAPIKey {
        let kept: [UInt8]?
        do {
            kept = try ReadableFile.contents(of: "\(directory)/\(file)")
        } catch {
            guard error.isAbsent else { throw CommandFailure(.system, error.description) }
            kept = nil
        }
        guard let kept else { return try new(in: directory) }
        guard let digest = APIKey.digest(stored: String(decoding: kept.prefix { $0 != 0x0A }, as: UTF8.self)) else {
            throw CommandFailure(
                .configuration, "\(directory)/\(file) is not the hash of an API key; remove it to have a new key made")
        }
        return LocalAPIKey(digest: digest, text: nil)
    }

    private static func new(in directory: String) throws(CommandFailure) -> LocalAPIKey {
        do {
            let text = try APIKey.generate(id: id)
            let hash = APIKey.storedHash(of: Array(text.utf8))
            let folder = try Directory(path: directory)
            // Whole or not at all: half a hash would lock everybody out.
            let draft = "\(file).new"
            try? folder.remove(draft)
            let output = try folder.createFile(draft)
            try output.write(Array("\(hash)\n".utf8).span)
            try output.sync()
            try folder.move(draft, to: folder, as: file)
            try folder.sync()
            return LocalAPIKey(digest: SHA256.hash(Array(text.utf8)), text: text)
        } catch {
            throw CommandFailure(.system, "cannot keep an API key in \(directory): \(error)")
        }
    }
}
