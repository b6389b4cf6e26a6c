import Cryptography
import DataFormats
import HTTP1
import Presigning
import System

extension StorageTask {
    /// Source: Amazon S3 API reference, "CopyObject".
    func copyObject() throws(S3Error) -> HTTPResponse {
        let source = try CopySource(request)
        let conditions = try WriteConditions(request)
        let object = try self.object(source)
        let headers = try copiedHeaders(of: object.footer, source)
        let changes = source.replacesMetadata || request.header("x-amz-storage-class") != nil
        guard changes || source.bucket != bucket || source.key != key else {
            throw .invalidRequest(
                "This copy request is illegal because it is trying to copy an object to itself without changing the "
                    + "object's metadata, storage class, website redirect location or encryption attributes.")
        }
        guard object.footer.contentLength <= S3Limits.upload else {
            throw .invalidRequest(
                "The specified copy source is larger than the maximum allowable size for a copy source: "
                    + "\(S3Limits.upload)")
        }
        try store.objects.check(conditions, bucket: bucket, key: key)
        let algorithm = try requestedAlgorithm() ?? object.footer.checksum?.algorithm
        let (file, content) = try copy(object, 0..<object.footer.contentLength, algorithm)
        let footer = footer(of: content, headers)
        try store.objects.place(file, footer, if: conditions)
        return Self.copyResponse("CopyObjectResult", footer, encryptedAs: footer)
    }

    /// Source: Amazon S3 API reference, "UploadPartCopy".
    func copyPart(_ id: [UInt8], _ number: Int) throws(S3Error) -> HTTPResponse {
        let object = try self.object(try CopySource(request))
        let range = try CopySource.range(request, in: object.footer.contentLength)
        guard range.count <= S3Limits.partSizes.upperBound else { throw .entityTooLarge(range.count) }
        let upload = try store.uploads.upload(id, bucket: bucket, key: key)
        let (file, content) = try copy(object, range, upload.footer.checksum?.algorithm)
        let footer = footer(of: content)
        try store.uploads.place(file, footer, number: number, of: upload)
        return Self.copyResponse("CopyPartResult", footer, encryptedAs: upload.footer)
    }

    /// Returns the object to copy. Throws if it does not exist or does not meet the conditions.
    private func object(_ source: CopySource) throws(S3Error) -> StoredFile {
        guard store.authenticator.regions[source.bucket] != nil else {
            throw .noSuchBucket(source.bucket)
        }
        guard let object = try store.objects.object(bucket: source.bucket, key: source.key) else {
            throw .noSuchKey(source.key)
        }
        let prefix = "x-amz-copy-source-"
        let outcome = Conditions(request, prefix: prefix, at: store.clock()).outcome(
            entityTag: object.footer.entityTag, lastModified: object.footer.lastModified)
        switch outcome {
        case .proceed: return object
        case .failed(let condition): throw .preconditionFailed(prefix + condition)
        case .notModified: throw .preconditionFailed("\(prefix)If-None-Match or -If-Modified-Since")
        }
    }

    /// Copies a range of an object to a new file, and computes its entity tag and its checksum by the algorithm.
    private func copy(
        _ object: StoredFile, _ range: Range<Int>, _ algorithm: ChecksumAlgorithm?
    ) throws(S3Error) -> (IncomingFile, VerifiedContent) {
        let expectation = ContentExpectation(length: range.count, computing: algorithm)
        var content = IncomingContent(expectation, in: try store.objects.newFile())
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(256 * 1024, range.upperBound - offset)
            let piece = try mappingSystemErrors(try object.file.read(at: offset, count: count))
            guard !piece.isEmpty else { throw .damagedFile }
            try content.append(piece[...])
            offset += piece.count
        }
        return (content.file, try content.verified())
    }

    /// Returns the headers of the copy: metadata and tags of the source or of the request, settings of the request.
    private func copiedHeaders(of source: ObjectFooter, _ copy: CopySource) throws(S3Error) -> [S3Request.Field] {
        let stated = try StoredHeaders.of(request)
        let headers = { (kind: StoredHeaders.Kind, replaces: Bool) in
            (replaces ? stated : source.headers).filter { StoredHeaders.Kind($0.name) == kind }
        }
        return headers(.metadata, copy.replacesMetadata) + headers(.setting, true) + headers(.tags, copy.replacesTags)
    }

    private static func copyResponse(
        _ name: String, _ footer: ObjectFooter, encryptedAs owner: ObjectFooter
    ) -> HTTPResponse {
        var response = document(name) { xml in
            xml.element("LastModified", text(footer.lastModified))
            xml.element("ETag", quoted(footer.entityTag))
            write(footer.checksum, to: &xml)
        }
        addEncryption(of: owner, to: &response)
        return response
    }
}
