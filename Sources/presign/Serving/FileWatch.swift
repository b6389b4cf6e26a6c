import Dispatch
import Synchronization
import System

/// Polls files and reports changes.
///
/// Polling works where notifications do not: on network file systems, and through the symbolic links by which
/// Kubernetes swaps a mounted ConfigMap or Secret. A change is reported after two equal polls, so that a file is not
/// read while it is being written.
final class FileWatch: Sendable {
    private let interval: DispatchTimeInterval
    private let queue: DispatchQueue
    private let action: @Sendable () -> Void
    private let files: Mutex<WatchedFiles>
    private let isStopped = Atomic(false)

    /// - Parameters:
    ///   - interval: the time between two polls.
    ///   - queue: the serial queue on which `action` is called.
    ///   - stamps: the stamps of the files, taken before they were read.
    ///   - action: called once for each change.
    init(
        every interval: DispatchTimeInterval = .seconds(2), on queue: DispatchQueue, since stamps: FileStamps,
        action: @escaping @Sendable () -> Void
    ) {
        (self.interval, self.queue, self.action) = (interval, queue, action)
        files = Mutex(WatchedFiles(since: stamps))
        pollLater()
    }

    /// Replaces the watched files.
    func watch(_ paths: [String]) { files.withLock { $0.watch(paths) } }

    /// Watches these files beside the others.
    func watchAlso(_ paths: [String]) { files.withLock { $0.watch($0.paths + paths) } }

    /// Marks files with these stamps as processed.
    func acknowledge(_ stamps: FileStamps) { files.withLock { $0.acknowledge(stamps) } }

    /// Whether no file has changed between the last two polls, nor since.
    var isStable: Bool { files.withLock { $0.isStable } }

    /// Stops polling.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func pollLater() {
        queue.asyncAfter(deadline: .now() + interval) {
            guard !self.isStopped.load(ordering: .relaxed) else { return }
            if self.files.withLock({ $0.haveChanged() }) { self.action() }
            self.pollLater()
        }
    }
}

/// The stamps of files by path, at one time.
struct FileStamps: Sendable {
    fileprivate private(set) var stamps: [String: FileStamp]

    /// Takes the current stamps.
    init(_ paths: [String]) {
        stamps = Dictionary(paths.map { ($0, FileStamp(of: $0)) }) { first, _ in first }
    }

    /// Adds the stamps of other files, or newer stamps of the same files.
    mutating func add(_ others: FileStamps) { stamps.merge(others.stamps) { _, new in new } }
}

/// The watched files and their stamps.
struct WatchedFiles: Sendable {
    private struct File {
        let path: String
        /// The stamp that was processed last; nil if none was.
        var processed: FileStamp?
        /// The stamp of the last poll.
        var last: FileStamp?
    }

    private var files: [File]
    /// Whether the last poll found the same stamps as the one before.
    private var wereStable = true

    /// The paths of the files.
    var paths: [String] { files.map(\.path) }

    init(since stamps: FileStamps) {
        files = stamps.stamps.map { File(path: $0.key, processed: $0.value, last: $0.value) }
    }

    mutating func watch(_ paths: [String]) {
        files = Set(paths).map { path in files.first { $0.path == path } ?? File(path: path) }
    }

    mutating func acknowledge(_ stamps: FileStamps) {
        for index in files.indices {
            if let stamp = stamps.stamps[files[index].path] { files[index].processed = stamp }
        }
    }

    var isStable: Bool { wereStable && files.allSatisfy { FileStamp(of: $0.path) == $0.last } }

    /// Polls the files. Returns true if a stamp differs from the processed one and none has changed since the last
    /// poll.
    mutating func haveChanged() -> Bool {
        wereStable = true
        var isNew = false
        for index in files.indices {
            let stamp = FileStamp(of: files[index].path)
            wereStable = wereStable && stamp == files[index].last
            isNew = isNew || stamp != files[index].processed
            files[index].last = stamp
        }
        guard wereStable, isNew else { return false }
        for index in files.indices { files[index].processed = files[index].last }
        return true
    }
}
