import Cryptography
import DataFormats
import Synchronization
import System
import Text

/// A file that is being written under a random name; gone with its last reference unless it was placed.
final class IncomingFile: Sendable {
    private final class Entry: Sendable {
        let isMoved = Atomic(false)
    }

    private let directory: Directory
    private let name: String
    private let file: OpenFile
    private let entry: Entry

    /// Makes an empty one.
    init(in directory: Directory, _ cleanup: Cleanup) throws(S3Error) {
        let (name, entry) = (try Self.randomName(), Entry())
        (self.directory, self.name, self.entry) = (directory, name, entry)
        file = try answeringFailures { () throws(SystemError) in
            // The name outlives the descriptor: whichever goes last frees the content, and the descriptor is closed on
            // a loop when a client gives up.
            try directory.createFile(name) {
                if !entry.isMoved.load(ordering: .relaxed) { cleanup.remove(name, from: directory) }
            }
        }
    }

    /// Appends content.
    func write(_ bytes: Span<UInt8>) throws(S3Error) {
        do throws(SystemError) {
            try file.write(bytes)
        } catch {
            throw S3Error(error)
        }
    }

    /// Appends the content of another file.
    func append(_ other: StoredFile) throws(S3Error) {
        try answeringFailures { () throws(SystemError) in
            try other.file.copy(first: other.footer.contentLength, to: file)
        }
    }

    /// Completes it: content and footer are on the disk when this returns.
    func seal(_ footer: ObjectFooter) throws(S3Error) {
        try answeringFailures { () throws(SystemError) in
            try file.write(footer.encoded.span)
            try file.sync()
        }
    }

    /// Gives it its name, in place of what had it.
    func move(to target: Directory, as newName: String) throws(SystemError) {
        try directory.move(name, to: target, as: newName)
        entry.isMoved.store(true, ordering: .relaxed)
    }

    /// Gives it a name that nobody has; false when somebody does.
    func link(to target: Directory, as newName: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try directory.link(name, to: target, as: newName)
            return true
        } catch {
            if error.isTaken { return false }
            throw error
        }
    }

    /// 32 hexadecimal digits that nobody can guess.
    static func randomName() throws(S3Error) -> String {
        do throws(SecureRandom.Failure) {
            return Hexadecimal.encode(try SecureRandom.bytes(count: 16))
        } catch {
            throw S3Error(500, "InternalError", error.description)
        }
    }
}
