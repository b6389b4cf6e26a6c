import DataFormats
import HTTP1
import Presigning
import Text

extension StorageTask {
    private typealias Naming = ([UInt8]) -> [UInt8]

    /// Source: Amazon S3 API reference, "ListObjectsV2".
    func listObjects() throws(S3Error) -> HTTPResponse {
        let hasOwner = request.parameter("fetch-owner")?.elementsEqual("true".utf8) ?? false
        return try listing(try listQuery(), hasOwner: hasOwner) { page, name, xml in
            if let start = request.parameter("start-after") { xml.element("StartAfter", name(start)) }
            if let token = request.parameter("continuation-token") { xml.element("ContinuationToken", token) }
            if page.isTruncated, let last = page.last {
                xml.element("NextContinuationToken", Hexadecimal.encode(last))
            }
            xml.element("KeyCount", "\(page.count)")
        }
    }

    /// The first version of the operation, which some clients still use by default.
    ///
    /// Source: Amazon S3 API reference, "ListObjects".
    func listObjectsV1() throws(S3Error) -> HTTPResponse {
        var query = try listQuery()
        query.marker = request.parameter("marker")
        return try listing(query, hasOwner: true) { page, name, xml in
            xml.element("Marker", name(request.parameter("marker") ?? []))
            if page.isTruncated, let last = page.last { xml.element("NextMarker", name(last)) }
        }
    }

    /// - Parameter writeMarkers: writes the elements that tell where the page begins and how to get the next one.
    private func listing(
        _ query: ListQuery, hasOwner: Bool,
        _ writeMarkers: (ListPage<ObjectIndex.Entry>, Naming, inout XMLWriter) -> Void
    ) throws(S3Error) -> HTTPResponse {
        let (isEncoded, page) = (try encodesNames(), try store.objects.page(query, in: bucket))
        let name = { (bytes: [UInt8]) in isEncoded ? PercentEncoding.path.encode(bytes) : bytes }
        return Self.document("ListBucketResult") { xml in
            xml.element("Name", bucket)
            xml.element("Prefix", name(query.prefix))
            writeMarkers(page, name, &xml)
            xml.element("MaxKeys", "\(query.maxKeys)")
            if let delimiter = query.delimiter { xml.element("Delimiter", name(delimiter)) }
            if isEncoded { xml.element("EncodingType", "url") }
            xml.element("IsTruncated", page.isTruncated ? "true" : "false")
            for object in page.items { Self.write(object, named: name(object.key), hasOwner: hasOwner, to: &xml) }
            Self.write(page.groups, name, to: &xml)
        }
    }

    /// Source: Amazon S3 API reference, "ListMultipartUploads".
    func listUploads() throws(S3Error) -> HTTPResponse {
        var query = try listQuery(limit: "max-uploads")
        let marker = request.parameter("key-marker") ?? []
        query.marker = marker.isEmpty ? nil : marker
        let idMarker = request.parameter("upload-id-marker")
        let isEncoded = try encodesNames()
        let page = ListPage(of: try store.uploads.list(bucket: bucket), query, after: idMarker)
        let name = { (bytes: [UInt8]) in isEncoded ? PercentEncoding.path.encode(bytes) : bytes }
        return Self.document("ListMultipartUploadsResult") { xml in
            xml.element("Bucket", bucket)
            xml.element("KeyMarker", name(marker))
            xml.element("UploadIdMarker", idMarker ?? [])
            if page.isTruncated, let last = page.last {
                xml.element("NextKeyMarker", name(last))
                let upload = page.items.last.flatMap { $0.footer.key == last ? $0.id : nil }
                xml.element("NextUploadIdMarker", upload ?? [])
            }
            xml.element("Prefix", name(query.prefix))
            if let delimiter = query.delimiter { xml.element("Delimiter", name(delimiter)) }
            if isEncoded { xml.element("EncodingType", "url") }
            xml.element("MaxUploads", "\(query.maxKeys)")
            xml.element("IsTruncated", page.isTruncated ? "true" : "false")
            for upload in page.items { Self.write(upload, named: name(upload.footer.key), to: &xml) }
            Self.write(page.groups, name, to: &xml)
        }
    }

    private static func write(_ upload: ListedUpload, named name: [UInt8], to xml: inout XMLWriter) {
        xml.element("Upload") { xml in
            xml.element("Key", name)
            xml.element("UploadId", upload.id)
            writeOwner("Initiator", to: &xml)
            writeOwner(to: &xml)
            xml.element("StorageClass", "STANDARD")
            xml.element("Initiated", text(upload.footer.lastModified))
            if let checksum = upload.footer.checksum {
                xml.element("ChecksumAlgorithm", checksum.algorithm.name)
                xml.element("ChecksumType", "COMPOSITE")
            }
        }
    }

    private static func write(_ groups: [[UInt8]], _ name: Naming, to xml: inout XMLWriter) {
        for group in groups { xml.element("CommonPrefixes") { $0.element("Prefix", name(group)) } }
    }

    private static func write(
        _ object: ObjectIndex.Entry, named name: [UInt8], hasOwner: Bool, to xml: inout XMLWriter
    ) {
        xml.element("Contents") { xml in
            xml.element("Key", name)
            xml.element("LastModified", text(object.lastModified))
            xml.element("ETag", quoted(object.entityTag))
            xml.element("Size", "\(object.contentLength)")
            if hasOwner { writeOwner(to: &xml) }
            xml.element("StorageClass", "STANDARD")
        }
    }

    /// Returns a time with milliseconds, as S3 writes it in listings. Some clients read only this form.
    static func text(_ time: SigningTime) -> String { "\(time.rfc3339Text.dropLast()).000Z" }

    /// - Parameter limit: the name of the parameter with the maximum number of names.
    private func listQuery(limit: String = "max-keys") throws(S3Error) -> ListQuery {
        var query = ListQuery()
        query.prefix = request.parameter("prefix") ?? []
        // As in S3, an empty delimiter counts as absent.
        query.delimiter = request.parameter("delimiter").flatMap { $0.isEmpty ? nil : $0 }
        query.maxKeys = min(try count(limit, default: 1000), 1000)
        query.marker = request.parameter("start-after")
        if let token = request.parameter("continuation-token") {
            guard let marker = Hexadecimal.decode(token), !marker.isEmpty else {
                throw .invalidArgument(
                    "The continuation token provided is incorrect", name: "continuation-token", value: token)
            }
            query.marker = marker
        }
        return query
    }

    private func encodesNames() throws(S3Error) -> Bool {
        guard let type = request.parameter("encoding-type") else { return false }
        guard type.elementsEqual("url".utf8) else {
            throw .invalidArgument("Invalid Encoding Method specified in Request", name: "encoding-type", value: type)
        }
        return true
    }
}
