import Dispatch
import Synchronization
import System

/// Polls files, reports changes, and reads files only when they are quiet, because a file that changes may be half
/// written.
///
/// Polling works where notifications do not: on network file systems, and through the symbolic links by which
/// Kubernetes swaps a mounted ConfigMap or Secret.
final class FileWatch: Sendable {
    private let queue: DispatchQueue
    private let files: Mutex<WatchedFiles>
    private let isStopped = Atomic(false)

    /// - Parameters:
    ///   - queue: the serial queue on which all closures are called.
    ///   - stamps: the stamps of the files, taken before they were read.
    init(on queue: DispatchQueue, since stamps: FileStamps) {
        self.queue = queue
        files = Mutex(WatchedFiles(since: stamps, at: .now()))
    }

    /// Calls `action` once for each change, when the files are quiet, until `stop`.
    func poll(every interval: DispatchTimeInterval = .seconds(2), _ action: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + interval) {
            guard !self.isStopped.load(ordering: .relaxed) else { return }
            if self.files.withLock({ $0.haveChanged($0.currentStamps, at: .now()) }) { action() }
            self.poll(every: interval, action)
        }
    }

    /// Replaces the watched files.
    func watch(_ paths: [String]) { files.withLock { $0.watch(paths) } }

    /// Reads files as soon as they are quiet.
    ///
    /// - Parameters:
    ///   - paths: the files that must be quiet before `read` is called.
    ///   - deadline: when to give up.
    ///   - read: reads the files; returns the paths of all that it has read. It is called again if one of them was not
    ///     quiet before and until its end.
    ///   - finish: receives the result, or the file that was still changing when the deadline passed.
    func read<Value>(
        _ paths: [String], by deadline: MonotonicTime = .after(WatchedFiles.patience),
        _ read: @escaping @Sendable () -> (Value, paths: [String]),
        then finish: @escaping @Sendable (Result<Value, FileChanging>) -> Void
    ) {
        whenQuiet(paths, by: deadline) { changing in
            if let changing { return finish(.failure(FileChanging(path: changing))) }
            let (value, all) = read()
            let wereQuiet = self.files.withLock { files in
                files.watch(files.paths + all)
                guard files.settling(files.currentStamps, of: all, at: .now()) == .quiet else { return false }
                files.acknowledge(all)
                return true
            }
            if wereQuiet { finish(.success(value)) } else { self.read(all, by: deadline, read, then: finish) }
        }
    }

    /// Calls `body` as soon as files are quiet: at once, if polls have seen that.
    ///
    /// - Parameters:
    ///   - paths: the files; nil for all watched ones.
    ///   - deadline: when to give up.
    ///   - body: receives nil, or the file that was still changing when the deadline passed.
    func whenQuiet(
        _ paths: [String]? = nil, by deadline: MonotonicTime = .after(WatchedFiles.patience),
        _ body: @escaping @Sendable (_ changing: String?) -> Void
    ) {
        queue.async {
            let settling = self.files.withLock { files in
                if let paths { files.watch(files.paths + paths) }
                return files.settling(files.currentStamps, of: paths ?? files.paths, at: .now(), until: deadline)
            }
            switch settling {
            case .quiet: body(nil)
            case .changing(let path): body(path)
            case .wait(let nanoseconds):
                self.queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
                    self.whenQuiet(paths, by: deadline, body)
                }
            }
        }
    }

    /// Stops polling.
    func stop() { isStopped.store(true, ordering: .relaxed) }
}

/// A file that did not stop changing.
struct FileChanging: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path) is still being written: it was not the same for \(WatchedFiles.quiet.components.seconds) s within"
            + " \(WatchedFiles.patience.components.seconds) s; write files by a rename"
    }
}

/// The stamps of files by path, at one time.
struct FileStamps: Sendable {
    fileprivate private(set) var stamps: [String: FileStamp]

    /// Takes the current stamps.
    init(_ paths: [String]) {
        stamps = Dictionary(paths.map { ($0, FileStamp(of: $0)) }) { first, _ in first }
    }

    /// Adds the stamps of other files.
    mutating func add(_ others: FileStamps) { stamps.merge(others.stamps) { _, new in new } }
}

/// The watched files, with their stamps and since when they have had them. Pure: stamps and times are given.
struct WatchedFiles: Sendable {
    /// Whether files can be read.
    enum Settling: Equatable {
        /// None has changed for `WatchedFiles.quiet`.
        case quiet
        /// Ask again after this time, in nanoseconds.
        case wait(Int)
        /// The deadline has passed, and this file is not quiet.
        case changing(String)
    }

    private struct File {
        let path: String
        /// The stamp that was processed last; nil if none was.
        var processed: FileStamp?
        /// The last observed stamp, and when it was observed first; nil before.
        var last: (stamp: FileStamp, since: MonotonicTime)?
    }

    /// How long a file must have had the same stamp before it is read.
    static let quiet = Duration.seconds(1)
    /// How long a reload waits for that.
    static let patience = Duration.seconds(10)

    private var files: [File]

    /// The paths of the files.
    var paths: [String] { files.map(\.path) }

    /// The stamps of the files on disk.
    var currentStamps: FileStamps { FileStamps(paths) }

    /// - Parameter now: the time at which the stamps were taken, or later.
    init(since stamps: FileStamps, at now: MonotonicTime) {
        files = stamps.stamps.map { File(path: $0.key, processed: $0.value, last: ($0.value, now)) }
    }

    mutating func watch(_ paths: [String]) {
        files = Set(paths).map { path in files.first { $0.path == path } ?? File(path: path) }
    }

    /// Marks files as processed, with the stamps that were observed last.
    mutating func acknowledge(_ paths: [String]) {
        for index in files.indices where paths.contains(files[index].path) {
            files[index].processed = files[index].last?.stamp
        }
    }

    /// Observes the stamps of all files. Returns whether some of them can be read.
    ///
    /// - Parameters:
    ///   - paths: these files, of the watched ones.
    ///   - deadline: when to give up.
    mutating func settling(
        _ stamps: FileStamps, of paths: [String], at now: MonotonicTime, until deadline: MonotonicTime = .distantFuture
    ) -> Settling {
        observe(stamps, at: now)
        var (end, last) = (now, String?.none)
        for file in files where paths.contains(file.path) {
            let isQuiet = (file.last?.since ?? now) + TimeSpan(Self.quiet)
            if isQuiet > end { (end, last) = (isQuiet, file.path) }
        }
        guard let last else { return .quiet }
        return now < deadline ? .wait(Int(min(end, deadline).nanoseconds - now.nanoseconds)) : .changing(last)
    }

    /// Observes the stamps of all files. Returns true, once, if one differs from the processed one and all can be read.
    mutating func haveChanged(_ stamps: FileStamps, at now: MonotonicTime) -> Bool {
        guard settling(stamps, of: paths, at: now) == .quiet,
            files.contains(where: { $0.last?.stamp != $0.processed })
        else { return false }
        acknowledge(paths)
        return true
    }

    private mutating func observe(_ stamps: FileStamps, at now: MonotonicTime) {
        for index in files.indices {
            guard let stamp = stamps.stamps[files[index].path], stamp != files[index].last?.stamp else { continue }
            files[index].last = (stamp, now)
        }
    }
}
