import Requests

/// A property of a storage, or of the credentials for it, that `presign doctor` checks. The raw value is its name in the
/// output.
package enum Guarantee: String, Sendable, CaseIterable {
    case clock, session
    case delete, put, get, head, listing
    case publicEndpoint = "public-endpoint"
    case signature, method, key, query, expiry
    case signedEndpoint = "signed-endpoint"
    case contentType = "content-type"
    case size, checksum
    case createOnly = "create-only"
    case form
    case formSize = "form-size"
    case formField = "form-field"
    case checksumInQuery = "checksum-in-query"
    case copySource = "x-amz-copy-source"
    case acl = "x-amz-acl"
    case metadata = "x-amz-meta"
    case tagging = "x-amz-tagging"
    case multipart
    case partSize = "part-size"
    case partChecksum = "part-checksum"
    case completeCreateOnly = "complete-create-only"
    case totalSize = "total-size"
    case uploadID = "upload-id"
    case partCopySource = "part-copy-source"
    case preflight
    case exposedETag = "exposed-etag"
    case missingObject = "missing-object"
    case bucketList = "list-buckets"
    case bucketPolicy = "bucket-policy"
    case otherKeys = "other-keys"

    /// The property as a statement that is true if it is enforced.
    package var statement: String {
        switch self {
        case .clock: "the clocks of this machine and of the storage agree"
        case .session: "the credentials outlive the URLs"
        case .delete: "DELETE removes an object"
        case .put: "PUT stores an object"
        case .get: "GET returns an object"
        case .head: "HEAD describes an object"
        case .listing: "a listing names the objects below a prefix"
        case .publicEndpoint: "`endpoint` has the object that was written through `publicEndpoint`"
        case .signature: "a changed signature is refused"
        case .method: "a URL is refused for another method"
        case .key: "a URL is refused for another key"
        case .query: "a parameter added to the query is refused"
        case .expiry: "an expired URL is refused"
        case .signedEndpoint: "a URL is refused if it is signed for another host or path than `signedEndpoint`"
        case .contentType: "a content type other than the signed one is refused"
        case .size: "a length other than the signed one is refused"
        case .checksum: "content that differs from the signed SHA-256 is refused"
        case .createOnly: "PUT with If-None-Match: * does not replace an object"
        case .form: "an HTML form stores an object"
        case .formSize: "a form with a file of another size than its policy allows is refused"
        case .formField: "a form with a changed key, type or checksum is refused"
        case .checksumInQuery: "a SHA-256 in the query is compared or refused"
        case .copySource: "an unsigned x-amz-copy-source is refused"
        case .acl: "an unsigned x-amz-acl is refused"
        case .metadata: "an unsigned x-amz-meta-* is refused"
        case .tagging: "an unsigned x-amz-tagging is refused"
        case .multipart: "a multipart upload assembles an object"
        case .partSize: "a part of another length than the signed one is refused"
        case .partChecksum: "a part that differs from the signed SHA-256 is refused"
        case .completeCreateOnly: "completing an upload with If-None-Match: * does not replace an object"
        case .totalSize: "completing an upload of another size than the signed one is refused"
        case .uploadID: "the id of an upload is refused at another key"
        case .partCopySource: "an unsigned x-amz-copy-source is refused for a part"
        case .preflight: "a browser's preflight allows uploads"
        case .exposedETag: "pages may read ETag"
        case .missingObject: "HEAD of a missing object responds 404"
        case .bucketList: "the credentials do not list all buckets"
        case .bucketPolicy: "the credentials do not read the bucket's policy"
        case .otherKeys: "the credentials do not read keys outside the rules' paths"
        }
    }

    /// The fix if it is not enforced.
    package var remedy: String {
        switch self {
        case .clock: "synchronize both clocks (NTP)"
        case .session: "use longer sessions, or lower `expires.default` and `expires.max`"
        case .delete: "grant the write credentials s3:DeleteObject; without it doctor writes nothing"
        case .put:
            "grant the write credentials s3:PutObject, or pass --prefix with a path for which they have it"
        case .get, .head: "grant the read credentials s3:GetObject, or remove `get` from the rule"
        case .listing: "grant the read credentials s3:ListBucket, or set `listing: false`"
        case .publicEndpoint: "set both addresses to the same bucket of the same storage"
        case .signature, .method, .key, .query, .expiry, .signedEndpoint:
            "use another storage: this one does not verify signatures, so no rule holds; block all access but presign's"
        case .contentType, .size, .partSize:
            "use another storage, or remove the limit and check objects after the upload"
        case .checksum, .partChecksum: "remove `checksum` and compare objects after the upload, or use another storage"
        case .createOnly, .completeCreateOnly:
            "let presign's caller choose unique names and remove `overwrite: false`, or keep versions in the bucket"
        case .form, .formSize, .formField: "set `forms: false` for the store, so that presign refuses forms by name"
        case .checksumInQuery: "send checksums as headers, as presign signs them"
        case .copySource, .partCopySource:
            "set `credentials: {read: ..., write: ...}` for the store, with a `write` that lacks s3:GetObject"
        case .acl: "use write credentials without s3:PutObjectAcl, and block public access to the bucket"
        case .metadata: "do not rely on `set: {metadata: ...}`, or use another storage"
        case .tagging: "use write credentials without s3:PutObjectTagging"
        case .multipart:
            "grant the write credentials s3:PutObject, s3:AbortMultipartUpload and s3:ListMultipartUploadParts, or remove"
                + " `multipart` from the rule"
        case .totalSize: "limit parts with `partSize`, which also limits their sum"
        case .uploadID: "grant `multipart` only with the same limits, and leave out `uploadIds: bound`"
        case .preflight, .exposedETag: "set the CORS rules of the bucket, such as config/bucket-cors.json"
        case .missingObject:
            "grant the read credentials s3:ListBucket, or set `validateObjectExistence: false`"
        case .bucketList: "remove s3:ListAllMyBuckets from the credentials"
        case .bucketPolicy: "remove s3:GetBucketPolicy from the credentials"
        case .otherKeys: "limit the credentials to the paths of the rules (config/iam-policy.json)"
        }
    }
}
