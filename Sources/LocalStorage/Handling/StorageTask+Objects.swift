import HTTP1
import Presigning

extension StorageTask {
    /// Source: Amazon S3 API reference, "PutObject".
    func objectTarget() throws(S3Error) -> UploadResponder.Target {
        let expectation = try ContentExpectation(request)
        let headers = try StoredHeaders.of(request)
        let conditions = try WriteConditions(request)
        // Checked here so that a client does not send 5 GiB in vain; `place` checks again.
        try store.objects.check(conditions, bucket: bucket, key: key)
        return UploadResponder.Target(expectation: expectation) { task, file, entityTag throws(S3Error) in
            let footer = ObjectFooter(
                bucket: task.bucket, key: task.key, contentLength: expectation.length, entityTag: entityTag,
                lastModified: task.store.clock(), headers: headers, checksum: expectation.checksum)
            try task.store.objects.place(file, footer, if: conditions)
            return Self.uploadResponse(footer)
        }
    }

    /// Returns the response to the upload of an object or a part.
    static func uploadResponse(_ footer: ObjectFooter) -> HTTPResponse {
        var response = HTTPResponse(status: 200)
        response.add("etag", quoted(footer.entityTag))
        if let checksum = footer.checksum {
            response.add(name: checksum.algorithm.header.utf8.span, checksum.text.utf8.span)
            response.add("x-amz-checksum-type", checksum.type)
        }
        return response
    }

    /// Deletes the object. As in S3, this succeeds if the object does not exist.
    ///
    /// Source: Amazon S3 API reference, "DeleteObject".
    func deleteObject() throws(S3Error) -> HTTPResponse {
        let conditions = try WriteConditions(request)
        guard !conditions.mustBeAbsent else {
            throw .notImplemented("If-None-Match when deleting", header: "If-None-Match")
        }
        try store.objects.remove(bucket: bucket, key: key, if: conditions)
        return HTTPResponse(status: 204)
    }

    static func quoted(_ entityTag: [UInt8]) -> [UInt8] {
        let quote = [UInt8(ascii: "\"")]
        return quote + entityTag + quote
    }
}
