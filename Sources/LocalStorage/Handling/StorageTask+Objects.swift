import HTTP1
import Presigning
import Text

extension StorageTask {
    /// Source: Amazon S3 API reference, "PutObject".
    func objectTarget() throws(S3Error) -> UploadResponder.Target {
        let expectation = try ContentExpectation(request)
        let headers = try StoredHeaders.of(request)
        let conditions = try WriteConditions(request)
        // Checked here so that a client does not send 5 GiB in vain; `place` checks again.
        try store.objects.check(conditions, bucket: bucket, key: key)
        return UploadResponder.Target(expectation: expectation) { file, content throws(S3Error) in
            let footer = footer(of: content, headers)
            try store.objects.place(file, footer, if: conditions)
            return Self.uploadResponse(footer, encryptedAs: footer)
        }
    }

    /// Returns the footer of an object or a part with this content, which is stored now.
    func footer(of content: VerifiedContent, _ headers: [S3Request.Field] = []) -> ObjectFooter {
        ObjectFooter(
            bucket: bucket, key: key, contentLength: content.length, entityTag: content.entityTag,
            lastModified: store.clock(), headers: headers, checksum: content.checksum)
    }

    /// Returns the response to the upload of an object or a part.
    ///
    /// - Parameter owner: the object, or the upload of the part.
    static func uploadResponse(_ footer: ObjectFooter, encryptedAs owner: ObjectFooter) -> HTTPResponse {
        var response = HTTPResponse(status: 200)
        addEncryption(of: owner, to: &response)
        response.add("etag", quoted(footer.entityTag))
        add(footer.checksum, to: &response)
        return response
    }

    private static func add(_ checksum: Checksum?, to response: inout HTTPResponse) {
        guard let checksum else { return }
        response.add(name: checksum.algorithm.header.utf8.span, checksum.text.utf8.span)
        response.add("x-amz-checksum-type", checksum.type)
    }

    /// Adds the encryption of an object or upload, which S3 repeats in the responses to writes.
    static func addEncryption(of footer: ObjectFooter, to response: inout HTTPResponse) {
        for (name, value) in footer.headers where name.starts(with: StoredHeaders.encryption.utf8) {
            response.add(name: name.span, value.span)
        }
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

    /// Query parameters that replace a response header ("GetObject", Amazon S3 API reference).
    private static let overrides = [
        "response-content-type": "content-type", "response-cache-control": "cache-control",
        "response-content-disposition": "content-disposition", "response-content-encoding": "content-encoding",
        "response-content-language": "content-language", "response-expires": "expires",
    ]

    /// Source: Amazon S3 API reference, "GetObject" and "HeadObject".
    ///
    /// - Parameter part: the number of the part to return; nil for the range of the headers.
    func objectResponse(part: Int?) throws(S3Error) -> HTTPResponse {
        guard part == nil || request.header("range") == nil else {
            throw .invalidRequest("Cannot specify both Range header and partNumber query parameter")
        }
        let object = try storedObject()
        let (footer, now) = (object.footer, store.clock())
        switch Conditions(request, at: now).outcome(entityTag: footer.entityTag, lastModified: footer.lastModified) {
        case .failed(let condition): throw .preconditionFailed(condition)
        case .notModified: return notModified(footer)
        case .proceed: break
        }
        if let part { return try partResponse(part, of: object) }
        let wanted = RangeHeader.requested(
            request, entityTag: footer.entityTag, lastModified: footer.lastModified, at: now)
        guard let wanted else { return try contentResponse(object, status: 200, range: 0..<footer.contentLength) }
        guard let range = wanted.range(in: footer.contentLength) else { throw unsatisfiable(footer.contentLength) }
        return try rangeResponse(object, range)
    }

    /// Returns the object. Throws `NoSuchKey` if it does not exist.
    func storedObject() throws(S3Error) -> StoredFile {
        guard let object = try store.objects.object(bucket: bucket, key: key) else { throw .noSuchKey(key) }
        return object
    }

    private func partResponse(_ number: Int, of object: StoredFile) throws(S3Error) -> HTTPResponse {
        // An object of an earlier version has no sizes of parts, so it is returned as one.
        let sizes = object.footer.completion?.partSizes ?? [object.footer.contentLength]
        guard number <= sizes.count else {
            throw S3Error(
                416, "InvalidPartNumber", "The requested partnumber is not satisfiable",
                [
                    ("PartNumberRequested", Array("\(number)".utf8)),
                    ("ActualPartCount", Array("\(sizes.count)".utf8)),
                ])
        }
        let start = sizes.prefix(number - 1).reduce(0, +)
        var response = try rangeResponse(object, start..<(start + sizes[number - 1]))
        if object.footer.completion != nil { response.add("x-amz-mp-parts-count", "\(sizes.count)") }
        return response
    }

    /// Returns a 206, or for an empty range, which `Content-Range` cannot express, a 200.
    private func rangeResponse(_ object: StoredFile, _ range: Range<Int>) throws(S3Error) -> HTTPResponse {
        guard !range.isEmpty else { return try contentResponse(object, status: 200, range: range) }
        var response = try contentResponse(object, status: 206, range: range)
        let length = object.footer.contentLength
        response.add("content-range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
        return response
    }

    private func contentResponse(
        _ object: StoredFile, status: Int, range: Range<Int>
    ) throws(S3Error) -> HTTPResponse {
        let footer = object.footer
        var response = HTTPResponse(status: status)
        response.file = object.content(range)
        response.add("last-modified", footer.lastModified.httpDateText)
        response.add("etag", Self.quoted(footer.entityTag))
        response.add("accept-ranges", "bytes")
        try addStoredHeaders(footer, to: &response)
        if footer.checksum?.bytes.isEmpty == false, showsChecksums, range.count == footer.contentLength {
            Self.add(footer.checksum, to: &response)
        }
        return response
    }

    /// Adds the object's headers, with the overrides of the URL.
    private func addStoredHeaders(_ footer: ObjectFooter, to response: inout HTTPResponse) throws(S3Error) {
        var headers = StoredHeaders.shown(footer.headers)
        for (parameter, header) in Self.overrides {
            guard let value = request.parameter(parameter) else { continue }
            headers.removeAll { $0.name.elementsEqual(header.utf8) }
            headers.append((Array(header.utf8), value))
        }
        if !headers.contains(where: { $0.name.elementsEqual("content-type".utf8) }) {
            headers.append((Array("content-type".utf8), Array("binary/octet-stream".utf8)))
        }
        for (name, value) in headers where !response.add(name: name.span, value.span) {
            throw .invalidArgument(
                "The value contains a control character, which a header cannot have.",
                name: String(decoding: name, as: UTF8.self), value: value)
        }
    }

    private var showsChecksums: Bool {
        let mode = request.header("x-amz-checksum-mode") ?? request.parameter("x-amz-checksum-mode")
        return mode.map { $0.span.equalsIgnoringCase("enabled") } ?? false
    }

    /// Returns a 304 with the headers that RFC 9110, section 15.4.5, requires.
    private func notModified(_ footer: ObjectFooter) -> HTTPResponse {
        var response = HTTPResponse(status: 304)
        response.add("last-modified", footer.lastModified.httpDateText)
        response.add("etag", Self.quoted(footer.entityTag))
        for (name, value) in footer.headers
        where ["cache-control", "expires"].contains(where: { name.elementsEqual($0.utf8) }) {
            response.add(name: name.span, value.span)
        }
        return response
    }

    private func unsatisfiable(_ length: Int) -> S3Error {
        var error = S3Error(
            416, "InvalidRange", "The requested range is not satisfiable",
            [
                ("RangeRequested", request.header("range") ?? []),
                ("ActualObjectSize", Array("\(length)".utf8)),
            ])
        error.header = ("content-range", "bytes */\(length)")
        return error
    }
}
