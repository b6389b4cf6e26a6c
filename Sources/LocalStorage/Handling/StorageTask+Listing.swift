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
                for object in page.objects { Self.write(object, named: name(object.key), to: &xml) }
                for group in page.groups {
                    xml.element("CommonPrefixes") { $0.element("Prefix", name(group)) }
                }
            }
        }
    }

    private static func write(_ object: ObjectIndex.Entry, named name: [UInt8], to xml: inout XMLWriter) {
        xml.element("Contents") { xml in
            xml.element("Key", name)
            // Some clients read only the form with milliseconds, which S3 returns here.
            xml.element("LastModified", "\(object.lastModified.rfc3339Text.dropLast()).000Z")
            xml.element("ETag", quoted(object.entityTag))
            xml.element("Size", "\(object.contentLength)")
            xml.element("StorageClass", "STANDARD")
        }
    }

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
