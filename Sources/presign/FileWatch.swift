import Dispatch
import Synchronization
import SystemInterface

/// Looks at files from time to time, and tells when they have changed and have come to rest.
///
/// Looking works where notifications do not: on network file systems, and through the symbolic links by which Kubernetes
/// swaps a mounted ConfigMap or Secret. A file is taken as at rest when it looks the same twice, so that one which is just
/// being written is not read by half.
final class FileWatch: Sendable {
    private let interval: DispatchTimeInterval
    private let queue: DispatchQueue
    private let paths: @Sendable () -> [String]
    private let action: @Sendable () -> Void
    private let looks: Mutex<FileLooks>
    private let isStopped = Atomic(false)

    /// - Parameters:
    ///   - interval: between two looks.
    ///   - queue: a serial one, where `paths` and `action` are called.
    ///   - looks: what the files looked like before they were read.
    ///   - paths: the files to look at this time.
    ///   - action: called once for each change.
    init(
        every interval: DispatchTimeInterval = .seconds(2), on queue: DispatchQueue, since looks: FileLooks,
        paths: @escaping @Sendable () -> [String], action: @escaping @Sendable () -> Void
    ) {
        (self.interval, self.queue, self.paths, self.action) = (interval, queue, paths, action)
        self.looks = Mutex(looks)
        lookLater()
    }

    /// Files that look so need no action any more: they were read after.
    func settle(_ looks: FileLooks) {
        self.looks.withLock { $0.settle(looks) }
    }

    /// Looks no more.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func lookLater() {
        queue.asyncAfter(deadline: .now() + interval) {
            guard !self.isStopped.load(ordering: .relaxed) else { return }
            let now = FileLooks(self.paths())
            if self.looks.withLock({ $0.haveChanged(to: now) }) { self.action() }
            self.lookLater()
        }
    }
}

/// What files looked like.
struct FileLooks: Sendable {
    private var settled: [String: FileStamp]
    private var last: [String: FileStamp]

    /// As they look now.
    init(_ paths: [String]) {
        settled = Dictionary(paths.map { ($0, FileStamp(of: $0)) }) { first, _ in first }
        last = settled
    }

    /// Takes these looks as ones that were acted on.
    mutating func settle(_ others: FileLooks) {
        settled.merge(others.settled) { _, new in new }
    }

    /// True when a file does not look as it did when it was last acted on, and none has changed since the last look.
    mutating func haveChanged(to now: FileLooks) -> Bool {
        defer { last = now.last }
        guard now.last == last, now.last.contains(where: { settled[$0.key] != $0.value }) else { return false }
        settle(now)
        return true
    }
}
