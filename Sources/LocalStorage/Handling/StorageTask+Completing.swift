import Cryptography
import DataFormats
import HTTP1
import Presigning
import Text

extension StorageTask {
    /// Source: Amazon S3 API reference, "CompleteMultipartUpload".
    func completeUpload(_ id: [UInt8], _ document: [UInt8]) throws(S3Error) -> HTTPResponse {
        let conditions = try WriteConditions(request)
        let list = try PartList(document)
        let footer = try store.uploads.ending(id) { () throws(S3Error) in
            let upload: Upload
            do throws(S3Error) {
                upload = try store.uploads.upload(id, bucket: bucket, key: key)
            } catch {
                guard error.code == "NoSuchUpload", let footer = try earlierCompletion(of: id, list) else {
                    throw error
                }
                return footer
            }
            let footer = try completed(upload, list)
            try store.objects.check(conditions, bucket: bucket, key: key)
            let file = try store.objects.newFile()
            for part in list.parts { try file.append(try self.part(part, of: upload)) }
            try store.objects.place(file, footer, if: conditions)
            cleanUp(try store.uploads.clear(try store.uploads.end(upload)))
            return footer
        }
        var response = Self.document("CompleteMultipartUploadResult") { xml in
            xml.element("Location", location)
            xml.element("Bucket", bucket)
            xml.element("Key", key)
            xml.element("ETag", Self.quoted(footer.entityTag))
            Self.write(footer.checksum, to: &xml)
        }
        Self.addEncryption(of: footer, to: &response)
        return response
    }

    /// Returns the object that the same request has created in the last 24 hours; nil without such an object.
    ///
    /// A client whose connection failed before the response repeats the request, which is idempotent in S3. Conditions
    /// are not checked, because the object itself fails `If-None-Match`.
    private func earlierCompletion(of id: [UInt8], _ list: PartList) throws(S3Error) -> ObjectFooter? {
        guard let footer = try store.objects.object(bucket: bucket, key: key)?.footer,
            let completion = footer.completion, completion.uploadID == id, completion.listDigest == list.digest,
            store.clock() <= footer.lastModified.advanced(bySeconds: 24 * 3600)
        else { return nil }
        try check(footer)
        return footer
    }

    /// Checks every part before any content is copied, and returns the footer of the object.
    private func completed(_ upload: Upload, _ list: PartList) throws(S3Error) -> ObjectFooter {
        let parts = list.parts
        var footer = upload.footer
        var completion = ObjectFooter.Completion(uploadID: Array(upload.id.utf8), listDigest: list.digest)
        var (digests, checksums): ([UInt8], [UInt8]) = ([], [])
        for (index, part) in parts.enumerated() {
            if let algorithm = upload.footer.checksum?.algorithm, part.checksum == nil {
                throw .invalidRequest(
                    "The upload was created using a \(algorithm.rawValue) checksum. The complete request must include "
                        + "the checksum for each part. It was missing for part \(part.number) in the request.")
            }
            let stored = try self.part(part, of: upload).footer
            if index < parts.count - 1, stored.contentLength < S3Limits.partSizes.lowerBound {
                throw S3Error.entityTooSmall(stored.contentLength, limit: S3Limits.partSizes.lowerBound)
                    .adding([("PartNumber", Array("\(part.number)".utf8)), ("ETag", part.entityTag)])
            }
            footer.contentLength += stored.contentLength
            completion.partSizes.append(stored.contentLength)
            digests += Hexadecimal.decode(stored.entityTag) ?? []
            checksums += stored.checksum?.bytes ?? []
        }
        footer.entityTag = Array("\(Hexadecimal.encode(InsecureHash.hash(digests, .md5)))-\(parts.count)".utf8)
        footer.lastModified = store.clock()
        footer.completion = completion
        if let algorithm = upload.footer.checksum?.algorithm {
            var hasher = ChecksumHasher(algorithm)
            hasher.update(checksums.span)
            footer.checksum = Checksum(algorithm: algorithm, bytes: hasher.digest(), partCount: parts.count)
        }
        try check(footer)
        return footer
    }

    /// Checks the size and checksum that the client states for the whole object.
    private func check(_ footer: ObjectFooter) throws(S3Error) {
        if let size = request.header("x-amz-mp-object-size"), Int(decimal: size.span) != footer.contentLength {
            throw .invalidRequest(
                "The provided 'x-amz-mp-object-size' header value does not match what was computed.")
        }
        for algorithm in ChecksumAlgorithm.allCases {
            guard let text = request.header(algorithm.header) else { continue }
            guard let checksum = footer.checksum, checksum.algorithm == algorithm else {
                throw .notImplemented("a checksum of the whole content of a multipart upload", header: algorithm.header)
            }
            guard text.elementsEqual(checksum.text.utf8) || text.elementsEqual(Base64.encode(checksum.bytes).utf8)
            else {
                throw S3Error(
                    400, "BadDigest", "The \(algorithm.name) you specified did not match the calculated checksum.")
            }
        }
    }

    /// Returns the stored part that a client lists. Throws `InvalidPart` unless its entity tag and checksum match.
    private func part(_ part: PartList.Part, of upload: Upload) throws(S3Error) -> StoredFile {
        guard let stored = try upload.part(part.number), stored.footer.entityTag == part.entityTag,
            part.checksum == nil || part.checksum == stored.footer.checksum
        else { throw .invalidPart(Array(upload.id.utf8), number: part.number, entityTag: part.entityTag) }
        return stored
    }

    /// The object's URL as the client addressed it.
    private var location: [UInt8] { origin + request.target.prefix { $0 != UInt8(ascii: "?") } }

    /// The scheme and host as the client addressed them; empty without `Host`, which HTTP/1.0 permits, so that a URL is
    /// relative.
    var origin: [UInt8] { request.header("host").map { Array("http://".utf8) + $0 } ?? [] }
}
