import Foundation

/// The record of a transfer: a small JSON file.
protocol TransferRecord: Codable, Sendable, Equatable {
    /// The end of the file's name.
    static var suffix: String { get }
    var id: String { get }
    /// The endpoint and the store.
    var target: String { get }
    var createdAt: Date { get }
}

/// The folder with the records of unfinished transfers and their temporary files. Each name begins with the id of its
/// transfer: `ID.upload.json`, `ID.part-7`, `ID.download.json`, `ID.download`.
struct TransferStore: Sendable {
    /// The folder of an app that has not chosen one.
    static var standardFolder: URL {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return (support ?? FileManager.default.temporaryDirectory).appending(path: "PresignClient")
    }

    let folder: URL

    /// The file with the bytes of one part while it is sent. Background sessions send files only.
    func part(_ number: Int, of id: String) -> URL { folder.appending(path: "\(id).part-\(number)") }

    /// The file with the received bytes of a download.
    func download(_ id: String) -> URL { folder.appending(path: "\(id).download") }

    /// Creates the folder if it is missing.
    func prepare() throws {
        try StorageFailure.writing(folder) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            #if canImport(Darwin)
                var values = URLResourceValues()
                values.isExcludedFromBackup = true
                var folder = folder
                try folder.setResourceValues(values)
            #endif
        }
    }

    /// Writes a record in one step, so that a crash leaves the old or the new one.
    func save(_ record: some TransferRecord) throws {
        try prepare()
        let file = file(of: record)
        try StorageFailure.writing(file) { try JSONEncoder().encode(record).write(to: file, options: .atomic) }
    }

    /// Removes a record and the temporary files of its transfer.
    func remove(_ record: some TransferRecord) {
        for name in names where Self.id(name) == record.id && !name.hasSuffix(".json") {
            remove(folder.appending(path: name))
        }
        remove(file(of: record))
    }

    /// Removes a file. One that is missing, or that the system still protects, must not fail a transfer that has ended:
    /// ``removeLeftovers()`` repeats it.
    func remove(_ file: URL) {
        try? FileManager.default.removeItem(at: file)
    }

    /// Returns the records of a service, oldest first. Files that cannot be read, such as those of a later version, are
    /// ignored.
    func records<Record: TransferRecord>(_ type: Record.Type, of target: String) -> [Record] {
        let files = names.filter { $0.hasSuffix(".\(Record.suffix)") }.map { folder.appending(path: $0) }
        let records = files.compactMap { file in
            (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Record.self, from: $0) }
        }
        return records.filter { $0.target == target }.sorted { $0.createdAt < $1.createdAt }
    }

    /// Removes the temporary files that a crash has left: parts, which are read again from the file, and downloads
    /// without a record.
    func removeLeftovers() {
        let names = names
        let recorded = Set(names.filter { $0.hasSuffix(".json") }.map(Self.id))
        for name in names where !name.hasSuffix(".json") && !Claim.isHeld(Self.id(name)) {
            let isDownload = name.hasSuffix(".download")
            if !isDownload || !recorded.contains(Self.id(name)) { remove(folder.appending(path: name)) }
        }
    }

    private func file<Record: TransferRecord>(of record: Record) -> URL {
        folder.appending(path: "\(record.id).\(Record.suffix)")
    }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    private static func id(_ name: String) -> String { String(name.prefix { $0 != "." }) }
}

/// The exclusive right of one transfer in this process to a record and to a pair of path and file, until it is released.
final class Claim: Sendable {
    private static let held = Locked<Set<String>>([])

    private let names: Set<String>

    /// Returns nil if another transfer holds one of the names.
    init?(_ names: Set<String>) {
        let isFree = Self.held.with { held in
            guard held.isDisjoint(with: names) else { return false }
            held.formUnion(names)
            return true
        }
        guard isFree else { return nil }
        self.names = names
    }

    static func isHeld(_ name: String) -> Bool { held.with { $0.contains(name) } }

    deinit {
        Self.held.with { $0.subtract(names) }
    }
}
