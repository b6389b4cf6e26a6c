import DataFormats
import HTTP1
import Presigning
import Text

extension StorageTask {
    /// Source: Amazon S3 API reference, "CreateMultipartUpload".
    func createUpload() throws(S3Error) -> HTTPResponse {
        let footer = ObjectFooter(
            bucket: bucket, key: key, contentLength: 0, entityTag: [], lastModified: store.clock(),
            headers: try StoredHeaders.of(request), checksum: try uploadChecksum())
        let id = try store.uploads.create(footer)
        var response = Self.document("InitiateMultipartUploadResult") { xml in
            xml.element("Bucket", bucket)
            xml.element("Key", key)
            xml.element("UploadId", id)
        }
        Self.addEncryption(of: footer, to: &response)
        if let checksum = footer.checksum {
            response.add("x-amz-checksum-algorithm", checksum.algorithm.name)
            response.add("x-amz-checksum-type", "COMPOSITE")
        }
        return response
    }

    /// Returns the checksum algorithm that every part must use; nil if the request names none. Throws for a checksum of
    /// the whole content, which the store does not support for multipart uploads.
    private func uploadChecksum() throws(S3Error) -> Checksum? {
        guard let algorithm = try requestedAlgorithm() else { return nil }
        let isWhole = request.header("x-amz-checksum-type").map { !$0.elementsEqual("COMPOSITE".utf8) } ?? false
        guard !isWhole, algorithm != .crc64nvme else {
            throw .notImplemented(
                "a checksum of the whole content of a multipart upload; use COMPOSITE", header: "x-amz-checksum-type")
        }
        return Checksum(algorithm: algorithm, bytes: [])
    }

    /// Returns the checksum algorithm that the request names; nil if it names none.
    func requestedAlgorithm() throws(S3Error) -> ChecksumAlgorithm? {
        guard let name = request.header("x-amz-checksum-algorithm") else { return nil }
        guard let algorithm = ChecksumAlgorithm.allCases.first(where: { $0.name.utf8.elementsEqual(name) }) else {
            throw .invalidRequest(
                "Checksum algorithm provided is unsupported. Please try again with any of the valid "
                    + "types: [CRC32, CRC32C, SHA1, SHA256]")
        }
        return algorithm
    }

    /// Source: Amazon S3 API reference, "UploadPart".
    func partTarget(_ id: [UInt8], _ number: Int) throws(S3Error) -> UploadResponder.Target {
        let expectation = try ContentExpectation(request)
        let upload = try store.uploads.upload(id, bucket: bucket, key: key)
        if let wanted = upload.footer.checksum?.algorithm, wanted != expectation.checksum?.algorithm {
            let actual = expectation.checksum?.algorithm.name.lowercased() ?? "null"
            throw .invalidRequest(
                "Checksum Type mismatch occurred, expected checksum Type: \(wanted.name.lowercased()), actual checksum "
                    + "Type: \(actual)")
        }
        return UploadResponder.Target(expectation: expectation) { file, content throws(S3Error) in
            let footer = footer(of: content)
            try store.uploads.place(file, footer, number: number, of: upload)
            return Self.uploadResponse(footer, encryptedAs: upload.footer)
        }
    }

    /// Source: Amazon S3 API reference, "AbortMultipartUpload".
    func abortUpload(_ id: [UInt8]) throws(S3Error) -> HTTPResponse {
        try store.uploads.ending(id) { () throws(S3Error) in
            let ended = try store.uploads.end(try store.uploads.upload(id, bucket: bucket, key: key))
            cleanUp(try store.uploads.clear(ended))
        }
        return HTTPResponse(status: 204)
    }

    /// Source: Amazon S3 API reference, "ListParts".
    func listParts(of id: [UInt8]) throws(S3Error) -> HTTPResponse {
        let upload = try store.uploads.upload(id, bucket: bucket, key: key)
        let marker = try count("part-number-marker", default: 0)
        let maximum = min(try count("max-parts", default: 1000), 1000)
        let numbers = try upload.partNumbers().filter { $0 > marker }
        let page = numbers.prefix(maximum)
        var parts: [(Int, ObjectFooter)] = []
        for number in page {
            // The upload may have been aborted since its parts were listed.
            if let part = try upload.part(number) { parts.append((number, part.footer)) }
        }
        return Self.document("ListPartsResult") { xml in
            xml.element("Bucket", bucket)
            xml.element("Key", key)
            xml.element("UploadId", upload.id)
            xml.element("PartNumberMarker", "\(marker)")
            xml.element("NextPartNumberMarker", "\(page.last ?? marker)")
            xml.element("MaxParts", "\(maximum)")
            xml.element("IsTruncated", page.count < numbers.count && maximum > 0 ? "true" : "false")
            Self.writeOwner("Initiator", to: &xml)
            Self.writeOwner(to: &xml)
            xml.element("StorageClass", "STANDARD")
            for (number, footer) in parts { Self.write(footer, number, to: &xml) }
        }
    }

    private static func write(_ footer: ObjectFooter, _ number: Int, to xml: inout XMLWriter) {
        xml.element("Part") { xml in
            xml.element("PartNumber", "\(number)")
            xml.element("LastModified", text(footer.lastModified))
            xml.element("ETag", quoted(footer.entityTag))
            xml.element("Size", "\(footer.contentLength)")
            if let checksum = footer.checksum { xml.element(checksum.algorithm.element, checksum.text) }
        }
    }

    /// Writes the checksum of an object.
    static func write(_ checksum: Checksum?, to xml: inout XMLWriter) {
        guard let checksum else { return }
        xml.element(checksum.algorithm.element, checksum.text)
        xml.element("ChecksumType", checksum.type)
    }

    func count(_ name: String, default number: Int) throws(S3Error) -> Int {
        guard let text = request.parameter(name) else { return number }
        guard let value = Int(decimal: text.span, in: 0...Int(Int32.max)) else {
            throw .invalidArgument(
                "Argument \(name) must be an integer between 0 and 2147483647", name: name, value: text)
        }
        return value
    }

    /// Returns a 200 response with an XML document.
    ///
    /// - Parameters:
    ///   - root: the name of its root element.
    ///   - write: writes the content of the root.
    static func document(
        _ root: String, namespace: String? = XMLWriter.namespace, _ write: (inout XMLWriter) -> Void
    ) -> HTTPResponse {
        var xml = XMLWriter()
        xml.element(root, namespace: namespace, write)
        var response = HTTPResponse(status: 200, body: xml.bytes)
        response.add("content-type", "application/xml")
        return response
    }
}
