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
    private let isStopped = Atomic(false)

    /// - Parameters:
    ///   - interval: between two looks.
    ///   - queue: a serial one, where `paths` and `action` are called.
    ///   - paths: the files to look at this time.
    ///   - action: called once for each change.
    init(
        every interval: DispatchTimeInterval = .seconds(2), on queue: DispatchQueue,
        paths: @escaping @Sendable () -> [String], action: @escaping @Sendable () -> Void
    ) {
        (self.interval, self.queue, self.paths, self.action) = (interval, queue, paths, action)
        look(again: FileLooks(paths()))
    }

    /// Looks no more.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func look(again looks: FileLooks) {
        queue.asyncAfter(deadline: .now() + interval) {
            guard !self.isStopped.load(ordering: .relaxed) else { return }
            var looks = looks
            if looks.haveChanged(in: FileLooks.stamps(of: self.paths())) { self.action() }
            self.look(again: looks)
        }
    }
}

/// What files looked like.
struct FileLooks: Sendable {
    private var settled: [String: FileStamp]
    private var last: [String: FileStamp]

    init(_ paths: [String]) {
        settled = Self.stamps(of: paths)
        last = settled
    }

    /// True when a file has changed since the last time this was true, and has not since the last look.
    mutating func haveChanged(in now: [String: FileStamp]) -> Bool {
        defer { last = now }
        guard now == last, now != settled else { return false }
        settled = now
        return true
    }

    static func stamps(of paths: [String]) -> [String: FileStamp] {
        Dictionary(paths.map { ($0, FileStamp(of: $0)) }) { first, _ in first }
    }
}
