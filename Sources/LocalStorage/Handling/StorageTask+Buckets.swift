import DataFormats
import HTTP1
import Text

extension StorageTask {
    /// Source: Amazon S3 API reference, "ListBuckets". Parameters that select some of the buckets are ignored.
    func listBuckets() -> HTTPResponse {
        let names = store.authenticator.regions.keys.sorted { $0.lexicographicallyPrecedes($1) }
        return Self.document("ListAllMyBucketsResult") { xml in
            Self.writeOwner(to: &xml)
            xml.element("Buckets") { xml in
                for name in names {
                    xml.element("Bucket") { xml in
                        xml.element("Name", name)
                        xml.element("CreationDate", Self.text(store.openedAt))
                        xml.element("BucketRegion", store.authenticator.regions[name] ?? "")
                    }
                }
            }
        }
    }

    /// Source: Amazon S3 API reference, "HeadBucket".
    func headBucket() -> HTTPResponse {
        var response = HTTPResponse(status: 200)
        response.add("x-amz-bucket-region", region)
        response.add("content-type", "application/xml")
        return response
    }

    /// Source: Amazon S3 API reference, "GetBucketLocation", where `us-east-1` is an empty text.
    func bucketLocation() -> HTTPResponse {
        Self.document("LocationConstraint") { $0.append(region == "us-east-1" ? [] : Array(region.utf8)) }
    }

    /// Source: Amazon S3 API reference, "GetBucketVersioning", which is empty if versioning was never enabled.
    func bucketVersioning() -> HTTPResponse {
        Self.document("VersioningConfiguration") { _ in }
    }

    private var region: String { store.authenticator.regions[bucket] ?? "" }

    /// Deletes objects in one request. As in S3, those that do not exist count as deleted.
    ///
    /// Source: Amazon S3 API reference, "DeleteObjects".
    func deleteObjects(_ document: [UInt8]) throws(S3Error) -> HTTPResponse {
        let list = try DeleteList(document)
        let failures = try store.objects.remove(bucket: bucket, list.objects)
        return Self.document("DeleteResult") { xml in
            for ((key, _), error) in zip(list.objects, failures) {
                if let error {
                    xml.element("Error") { xml in
                        xml.element("Key", key)
                        xml.element("Code", error.code)
                        xml.element("Message", error.message)
                    }
                } else if !list.isQuiet {
                    xml.element("Deleted") { $0.element("Key", key) }
                }
            }
        }
    }
}
