import Cryptography
import Dispatch
import HTTP1
import Synchronization
import System
import Text

/// A file that is being written under a random name. Releasing the last reference removes it, unless it was moved.
final class IncomingFile: Sendable {
    private final class Entry: Sendable {
        let isMoved = Atomic(false)
    }

    private let directory: Directory
    private let name: String
    private let file: OpenFile
    private let entry: Entry

    /// Creates an empty file.
    init(in directory: Directory, _ cleanup: Cleanup) throws(S3Error) {
        let (name, entry) = (try Self.randomName(), Entry())
        (self.directory, self.name, self.entry) = (directory, name, entry)
        // Closing the descriptor leaves the name, so the content is freed on the cleanup queue and not on the event loop,
        // which closes the descriptor when a client disconnects.
        file = try mappingSystemErrors(
            try directory.createFile(name) {
                if !entry.isMoved.load(ordering: .relaxed) { cleanup.remove(name, from: directory) }
            })
    }

    /// Appends content.
    func write(_ bytes: Span<UInt8>) throws(S3Error) {
        try mappingSystemErrors(try file.write(bytes))
    }

    /// Appends the content of another file.
    func append(_ other: StoredFile) throws(S3Error) {
        try mappingSystemErrors(try other.file.copy(first: other.footer.contentLength, to: file))
    }

    /// Appends the footer and waits until content and footer are on the disk.
    func seal(_ footer: ObjectFooter) throws(S3Error) {
        try write(footer.encoded.span)
        try mappingSystemErrors(try file.sync())
    }

    /// Moves the file to its final name and replaces an existing file.
    func move(to target: Directory, as newName: String) throws(SystemError) {
        try directory.move(name, to: target, as: newName)
        entry.isMoved.store(true, ordering: .relaxed)
    }

    /// Links the file to a new name. Returns false if the name is taken.
    func link(to target: Directory, as newName: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try directory.link(name, to: target, as: newName)
            return true
        } catch {
            if error.isTaken { return false }
            throw error
        }
    }

    /// Returns 32 hexadecimal digits from 16 random bytes.
    static func randomName() throws(S3Error) -> String {
        do throws(SecureRandom.Failure) {
            return Hexadecimal.encode(try SecureRandom.bytes(count: 16))
        } catch {
            throw S3Error(500, "InternalError", error.description)
        }
    }
}

/// An open object or part, with its footer. Its content stays readable after the file is replaced or removed.
struct StoredFile: Sendable {
    let footer: ObjectFooter
    let file: OpenFile

    /// Opens a file; nil if it does not exist. Throws if its footer is damaged.
    init?(_ name: String, in directory: Directory) throws(S3Error) {
        do throws(SystemError) {
            file = try directory.openFile(name)
        } catch {
            if error.isAbsence { return nil }
            throw S3Error(error)
        }
        let (end, size) = try mappingSystemErrors(try Self.end(of: file))
        guard let footer = ObjectFooter(end, fileSize: size) else { throw .damagedFile }
        self.footer = footer
    }

    /// Returns the end of a file with its whole footer, and the size of the file.
    private static func end(of file: OpenFile) throws(SystemError) -> ([UInt8], size: Int) {
        let size = try file.status().size
        let usual = min(size, ObjectFooter.usualByteCount)
        let end = try file.read(at: size - usual, count: usual)
        guard let stated = ObjectFooter.byteCount(atEndOf: end), stated > usual else { return (end, size) }
        let count = min(size, stated, ObjectFooter.maximumByteCount)
        return (try file.read(at: size - count, count: count), size)
    }

    /// Returns a range of the content for a response.
    func content(_ range: Range<Int>) -> HTTPFile { HTTPFile(file, range: range) }
}

/// Removes abandoned files on its own queue, because freeing the blocks of a large file would block an event loop.
struct Cleanup: Sendable {
    let queue = DispatchQueue(label: "local-storage-cleanup", qos: .utility)
    let report: @Sendable (String) -> Void

    /// Removes a file of `incoming` asynchronously. A file that no longer exists is not an error.
    func remove(_ name: String, from incoming: Directory) {
        queue.async { [report] in
            do throws(SystemError) {
                try incoming.remove(name)
            } catch {
                if !error.isAbsence {
                    report("cannot remove incoming/\(name): \(error); the next start removes it")
                }
            }
        }
    }
}

/// The content of an object or a part as it arrives. Small pieces are joined before they are hashed and written, so
/// what content costs does not depend on how it is split.
struct IncomingContent: Sendable {
    let file: IncomingFile
    private var digests: ContentDigests
    /// The end of the content, which is not hashed and written yet. It has fewer bytes than a connection may always
    /// hold.
    private var pending: [UInt8] = []

    init(_ expectation: ContentExpectation, in file: IncomingFile) {
        (self.file, digests) = (file, ContentDigests(expectation))
    }

    var byteCount: Int { digests.byteCount + pending.count }

    mutating func append(_ piece: ArraySlice<UInt8>) throws(S3Error) {
        if piece.count < HTTPLimits.reservedBytes {
            pending += piece
            if pending.count >= HTTPLimits.reservedBytes { try flush() }
        } else {
            try flush()
            digests.update(piece.span)
            try file.write(piece.span)
        }
    }

    private mutating func flush() throws(S3Error) {
        guard !pending.isEmpty else { return }
        let joined = pending
        pending = []
        digests.update(joined.span)
        try file.write(joined.span)
    }

    /// Writes the rest and returns the digests. Throws if the length or a digest differs from the expected one.
    ///
    /// - Parameter trailer: the checksum in the trailer, in base64, if it was announced there.
    mutating func verified(trailer: [UInt8]? = nil) throws(S3Error) -> VerifiedContent {
        try flush()
        return try digests.verified(trailer: trailer)
    }
}
