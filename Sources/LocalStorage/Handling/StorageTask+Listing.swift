import DataFormats
import HTTP1
import Presigning
import Text

extension StorageTask {
    /// Source: Amazon S3 API reference, "ListObjectsV2".
    func listObjects() throws(S3Error) -> HTTPResponse {
        let (query, isEncoded) = (try listQuery(), try encodesNames())
        let token = request.parameter("continuation-token")
        let page = try store.objects.page(query, in: bucket)
        let name = { (bytes: [UInt8]) in isEncoded ? PercentEncoding.path.encode(bytes) : bytes }
        return Self.document { xml in
            xml.element("ListBucketResult", namespace: XMLWriter.namespace) { xml in
                xml.element("Name", bucket)
                xml.element("Prefix", name(query.prefix))
                if let start = request.parameter("start-after") { xml.element("StartAfter", name(start)) }
                if let token { xml.element("ContinuationToken", token) }
                if page.isTruncated, let last = page.last {
                    xml.element("NextContinuationToken", Hexadecimal.encode(last))
                }
                xml.element("KeyCount", "\(page.count)")
                xml.element("MaxKeys", "\(query.maxKeys)")
                if let delimiter = query.delimiter { xml.element("Delimiter", name(delimiter)) }
                if isEncoded { xml.element("EncodingType", "url") }
                xml.element("IsTruncated", page.isTruncated ? "true" : "false")
                Self.write(page, name, to: &xml)
            }
        }
    }

    /// The first version of the operation, which some clients still use by default.
    ///
    /// Source: Amazon S3 API reference, "ListObjects".
    func listObjectsV1() throws(S3Error) -> HTTPResponse {
        var query = try listQuery()
        let isEncoded = try encodesNames()
        query.marker = request.parameter("marker")
        let page = try store.objects.page(query, in: bucket)
        let name = { (bytes: [UInt8]) in isEncoded ? PercentEncoding.path.encode(bytes) : bytes }
        return Self.document { xml in
            xml.element("ListBucketResult", namespace: XMLWriter.namespace) { xml in
                xml.element("Name", bucket)
                xml.element("Prefix", name(query.prefix))
                xml.element("Marker", name(query.marker ?? []))
                if page.isTruncated, let last = page.last { xml.element("NextMarker", name(last)) }
                xml.element("MaxKeys", "\(query.maxKeys)")
                if let delimiter = query.delimiter { xml.element("Delimiter", name(delimiter)) }
                if isEncoded { xml.element("EncodingType", "url") }
                xml.element("IsTruncated", page.isTruncated ? "true" : "false")
                Self.write(page, name, to: &xml)
            }
        }
    }

    private static func write(_ page: ListPage, _ name: ([UInt8]) -> [UInt8], to xml: inout XMLWriter) {
        for object in page.objects { write(object, named: name(object.key), to: &xml) }
        for group in page.groups { xml.element("CommonPrefixes") { $0.element("Prefix", name(group)) } }
    }

    private static func write(_ object: ObjectIndex.Entry, named name: [UInt8], to xml: inout XMLWriter) {
        xml.element("Contents") { xml in
            xml.element("Key", name)
            xml.element("LastModified", text(object.lastModified))
            xml.element("ETag", quoted(object.entityTag))
            xml.element("Size", "\(object.contentLength)")
            xml.element("StorageClass", "STANDARD")
        }
    }

    /// Returns a time with milliseconds, as S3 writes it in listings. Some clients read only this form.
    static func text(_ time: SigningTime) -> String { "\(time.rfc3339Text.dropLast()).000Z" }

    private func listQuery() throws(S3Error) -> ListQuery {
        var query = ListQuery()
        query.prefix = request.parameter("prefix") ?? []
        query.delimiter = request.parameter("delimiter")
        query.maxKeys = min(try count("max-keys", default: 1000), 1000)
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
