import Foundation

/// The content of an upload.
enum UploadSource: Sendable {
    case file(URL, FileFingerprint)
    case data(Data)

    /// The number of bytes that are read at a time.
    private static let pieceSize = 1 << 20

    var size: Int64 {
        switch self {
        case .file(_, let fingerprint): fingerprint.size
        case .data(let data): Int64(data.count)
        }
    }

    /// The body of a request with all of it.
    var body: HTTPRequest.Body {
        switch self {
        case .file(let file, _): .file(file)
        case .data(let data): .data(data)
        }
    }

    /// Throws if the file has changed.
    func checkUnchanged() throws {
        guard case .file(let file, let fingerprint) = self else { return }
        guard try FileFingerprint(of: file) == fingerprint else { throw StorageFailure.changed(file) }
    }

    /// Returns the SHA-256 in Base64. Reads piece by piece.
    func checksum() throws -> String {
        var digest = SHA256Digest()
        try read(0..<size) { digest.update($0) }
        return digest.base64()
    }

    /// Copies a range to a new file. Returns its SHA-256 in Base64 if requested.
    func copy(_ range: Range<Int64>, to copy: URL, isHashed: Bool) throws -> String? {
        let output = try StorageFailure.writing(copy) {
            try Data().write(to: copy)
            return try FileHandle(forWritingTo: copy)
        }
        defer { try? output.close() }
        var digest = SHA256Digest()
        try read(range) { piece in
            if isHashed { digest.update(piece) }
            try StorageFailure.writing(copy) { try output.write(contentsOf: piece) }
        }
        // The copy then has bytes of one version of the file.
        try checkUnchanged()
        return isHashed ? digest.base64() : nil
    }

    /// Reads a range piece by piece. Throws if the file is shorter.
    private func read(_ range: Range<Int64>, _ body: (Data) throws -> Void) throws {
        guard case .file(let file, _) = self else { return try readData(range, body) }
        let input = try StorageFailure.reading(file) {
            let input = try FileHandle(forReadingFrom: file)
            try input.seek(toOffset: UInt64(range.lowerBound))
            return input
        }
        defer { try? input.close() }
        var left = range.upperBound - range.lowerBound
        while left > 0 {
            try releasing {
                let piece = try Self.piece(of: file, input, Int(min(left, Int64(Self.pieceSize))))
                try body(piece)
                left -= Int64(piece.count)
            }
        }
    }

    private static func piece(of file: URL, _ input: FileHandle, _ count: Int) throws -> Data {
        let piece = try StorageFailure.reading(file) { try input.read(upToCount: count) }
        guard let piece, !piece.isEmpty else { throw StorageFailure.changed(file) }
        return piece
    }

    private func readData(_ range: Range<Int64>, _ body: (Data) throws -> Void) throws {
        guard case .data(let data) = self else { return }
        let start = data.startIndex
        try body(data[start + Int(range.lowerBound)..<start + Int(range.upperBound)])
    }
}
