import DataFormats
import HTTP1

/// The tags, the owner and the access control list of buckets and objects.
extension StorageTask {
    /// Source: Amazon S3 API reference, "GetObjectTagging".
    func objectTagging() throws(S3Error) -> HTTPResponse {
        let tags = try StoredHeaders.tags(of: try storedObject().footer.headers)
        return Self.document("Tagging") { xml in
            xml.element("TagSet") { xml in
                for (key, value) in tags {
                    xml.element("Tag") { xml in
                        xml.element("Key", key)
                        xml.element("Value", value)
                    }
                }
            }
        }
    }

    /// Source: Amazon S3 API reference, "GetObjectAcl".
    func objectACL() throws(S3Error) -> HTTPResponse {
        Self.accessControl(isPublic: StoredHeaders.isPublic(try storedObject().footer.headers))
    }

    /// Writes the owner of all buckets and objects.
    static func writeOwner(_ name: String = "Owner", to xml: inout XMLWriter) {
        xml.element(name) { $0.element("ID", ownerID) }
    }

    private static let ownerID = "presign-local"

    /// Source: Amazon S3 API reference, "GetObjectAcl" and "GetBucketAcl".
    static func accessControl(isPublic: Bool) -> HTTPResponse {
        document("AccessControlPolicy") { xml in
            writeOwner(to: &xml)
            xml.element("AccessControlList") { xml in
                writeGrant("FULL_CONTROL", toA: "CanonicalUser", "ID", ownerID, to: &xml)
                guard isPublic else { return }
                let everyone = "http://acs.amazonaws.com/groups/global/AllUsers"
                writeGrant("READ", toA: "Group", "URI", everyone, to: &xml)
            }
        }
    }

    private static func writeGrant(
        _ permission: String, toA type: String, _ name: String, _ value: String, to xml: inout XMLWriter
    ) {
        xml.element("Grant") { xml in
            xml.element("Grantee", type: type) { $0.element(name, value) }
            xml.element("Permission", permission)
        }
    }
}
