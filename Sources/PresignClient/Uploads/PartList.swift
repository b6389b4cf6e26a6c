import Foundation

/// The documents in which S3 lists the parts of an upload.
struct PartList: Sendable {
    private let parts: [Int: UploadRecord.StoredPart]
    private let isTruncated: Bool

    /// Reads the response to ListParts.
    init(_ root: XMLElement) {
        let items = root.all("Part").compactMap { item -> (Int, UploadRecord.StoredPart)? in
            guard let number = item["PartNumber"].flatMap({ Int($0) }), let etag = item["ETag"],
                let size = item["Size"].flatMap({ Int64($0) })
            else { return nil }
            return (number, .init(size: size, etag: etag, checksum: item["ChecksumSHA256"]))
        }
        parts = Dictionary(items) { first, _ in first }
        isTruncated = root["IsTruncated"] == "true"
    }

    /// Returns the parts that need not be sent: those of the expected size, with a checksum if there must be one.
    ///
    /// - Parameter isRecordWrong: Whether the storage lacks a part of the record.
    func usable(
        in plan: PartPlan, known: UploadRecord.Multipart, isRecordWrong: Bool
    ) -> [Int: UploadRecord.StoredPart] {
        let last = parts.keys.max() ?? 0
        var found = parts
        for (number, part) in known.parts {
            // Not every storage lists the checksums.
            if let listed = parts[number], listed.checksum == nil, listed.etag == part.etag { found[number] = part }
            if isTruncated, !isRecordWrong, number > last { found[number] = part }
        }
        return found.filter { number, part in
            number <= plan.count && part.size == Int64(plan.range(number).count)
                && (part.checksum != nil || !known.hasChecksum)
        }
    }

    /// Writes the document that completes an upload.
    static func document(_ parts: [Int: UploadRecord.StoredPart]) -> Data {
        let items = parts.sorted { $0.key < $1.key }.map { number, part in
            let checksum = part.checksum.map { "<ChecksumSHA256>\(escaped($0))</ChecksumSHA256>" } ?? ""
            return "<Part><PartNumber>\(number)</PartNumber><ETag>\(escaped(part.etag))</ETag>\(checksum)</Part>"
        }
        let start = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        return Data("\(start)\(items.joined())</CompleteMultipartUpload>".utf8)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
