import Dispatch
import Synchronization
import System

/// Looks at files from time to time, and tells when they have changed and have come to rest.
///
/// Looking works where notifications do not: on network file systems, and through the symbolic links by which Kubernetes
/// swaps a mounted ConfigMap or Secret. A file is taken as at rest when it looks the same twice, so that one which is just
/// being written is not read by half.
final class FileWatch: Sendable {
    private let interval: DispatchTimeInterval
    private let queue: DispatchQueue
    private let action: @Sendable () -> Void
    private let files: Mutex<WatchedFiles>
    private let isStopped = Atomic(false)

    /// - Parameters:
    ///   - interval: between two looks.
    ///   - queue: a serial one, where `action` is called.
    ///   - stamps: what the files looked like before they were read.
    ///   - action: called once for each change.
    init(
        every interval: DispatchTimeInterval = .seconds(2), on queue: DispatchQueue, since stamps: FileStamps,
        action: @escaping @Sendable () -> Void
    ) {
        (self.interval, self.queue, self.action) = (interval, queue, action)
        files = Mutex(WatchedFiles(since: stamps))
        lookLater()
    }

    /// Looks at these files from now on, and at no others.
    func watch(_ paths: [String]) { files.withLock { $0.watch(paths) } }

    /// Files that look so need no action any more: they were read after.
    func acknowledge(_ stamps: FileStamps) { files.withLock { $0.acknowledge(stamps) } }

    /// Whether none of them has changed between the last two looks, nor since.
    var areAtRest: Bool { files.withLock { $0.areAtRest } }

    /// Looks no more.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + interval) {
            guard !self.isStopped.load(ordering: .relaxed) else { return }
            if self.files.withLock({ $0.haveChanged() }) { self.action() }
            self.lookLater()
        }
    }
}

/// What files looked like, each by its path.
struct FileStamps: Sendable {
    fileprivate private(set) var stamps: [String: FileStamp]

    /// As they look now.
    init(_ paths: [String]) {
        stamps = Dictionary(paths.map { ($0, FileStamp(of: $0)) }) { first, _ in first }
    }

    /// Adds what others looked like, or what the same looked like later.
    mutating func add(_ others: FileStamps) { stamps.merge(others.stamps) { _, new in new } }
}

/// The files that are looked at. A look at files that have not changed touches little memory: one comes every other second
/// for as long as the service runs.
private struct WatchedFiles: Sendable {
    private struct File {
        let path: String
        /// How it looked when it was last acted on; nil: it never was.
        var settled: FileStamp?
        var last: FileStamp?
    }

    private var files: [File]
    /// None had changed at the last look.
    private var wereAtRest = true

    init(since stamps: FileStamps) {
        files = stamps.stamps.map { File(path: $0.key, settled: $0.value, last: $0.value) }
    }

    mutating func watch(_ paths: [String]) {
        files = Set(paths).map { path in files.first { $0.path == path } ?? File(path: path) }
    }

    mutating func acknowledge(_ stamps: FileStamps) {
        for index in files.indices {
            if let stamp = stamps.stamps[files[index].path] { files[index].settled = stamp }
        }
    }

    var areAtRest: Bool { wereAtRest && files.allSatisfy { FileStamp(of: $0.path) == $0.last } }

    /// True when a file does not look as it did when it was last acted on, and none has changed since the last look.
    mutating func haveChanged() -> Bool {
        wereAtRest = true
        var isNew = false
        for index in files.indices {
            let stamp = FileStamp(of: files[index].path)
            wereAtRest = wereAtRest && stamp == files[index].last
            isNew = isNew || stamp != files[index].settled
            files[index].last = stamp
        }
        guard wereAtRest, isNew else { return false }
        for index in files.indices { files[index].settled = files[index].last }
        return true
    }
}
