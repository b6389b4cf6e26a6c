import Foundation

/// Tells whether a file has changed: size, time of modification, and identity on its volume.
struct FileFingerprint: Codable, Sendable, Equatable {
    let size: Int64
    /// Seconds since 2001.
    let modified: TimeInterval
    let volume: UInt64?
    let number: UInt64?

    /// Reads the attributes of a file.
    init(of file: URL) throws {
        let attributes = try StorageFailure.reading(file) {
            try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? NSNumber,
            let modified = attributes[.modificationDate] as? Date
        else { throw StorageFailure.unreadable(file, CocoaError(.fileReadUnsupportedScheme)) }
        self.size = size.int64Value
        self.modified = modified.timeIntervalSinceReferenceDate
        volume = (attributes[.systemNumber] as? NSNumber)?.uint64Value
        number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
    }
}

/// A local file in a record. The folder of an app moves when iOS updates it, so paths in it are relative.
struct RecordedFile: Codable, Sendable, Equatable {
    private static let home = "~/"

    private let path: String

    init(_ file: URL, home: String = NSHomeDirectory()) {
        let path = file.standardizedFileURL.path
        self.path = path.hasPrefix(home + "/") ? Self.home + path.dropFirst(home.count + 1) : path
    }

    func url(home: String = NSHomeDirectory()) -> URL {
        guard path.hasPrefix(Self.home) else { return URL(filePath: path) }
        return URL(filePath: home).appending(path: path.dropFirst(Self.home.count))
    }
}
