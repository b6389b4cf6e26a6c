import HTTP1
import Presigning

extension StorageTask {
    /// Source: Amazon S3 API reference, "PutObject".
    func objectTarget() throws(S3Error) -> ContentReceiver.Target {
        let expectation = try ContentExpectation(request)
        let headers = try StoredHeaders.of(request)
        let conditions = try WriteConditions(request)
        // Asked now, so that nobody sends 5 GiB for nothing, and again when the object is placed.
        try store.objects.check(conditions, bucket: bucket, key: key)
        return ContentReceiver.Target(expectation: expectation) { task, file, entityTag throws(S3Error) in
            let footer = ObjectFooter(
                bucket: task.bucket, key: task.key, contentLength: expectation.length, entityTag: entityTag,
                lastModified: task.store.clock(), headers: headers, checksum: expectation.checksum)
            try task.store.objects.place(file, footer, if: conditions)
            return Self.written(footer)
        }
    }

    /// The answer to an upload.
    static func written(_ footer: ObjectFooter) -> HTTPResponse {
        var response = HTTPResponse(status: 200)
        response.add("etag", quoted(footer.entityTag))
        if let checksum = footer.checksum {
            response.add(name: checksum.algorithm.header.utf8.span, checksum.text.utf8.span)
            response.add("x-amz-checksum-type", checksum.type)
        }
        return response
    }

    /// Source: Amazon S3 API reference, "DeleteObject"; it succeeds for an object that is not there.
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
