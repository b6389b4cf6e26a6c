import HTTP1
import Presigning
import Text

/// The operation of a request, which its method and the query parameters that S3 calls subresources determine.
enum S3Operation: Sendable, Equatable {
    case getObject(part: Int?)
    case headObject(part: Int?)
    case objectTagging
    case objectACL
    case putObject
    case deleteObject
    case copyObject
    case listBuckets
    case headBucket
    case bucketLocation
    case bucketVersioning
    case bucketACL
    case listUploads
    case listObjects
    case listObjectsV1
    case deleteObjects
    case createUpload
    case uploadPart(uploadID: [UInt8], number: Int)
    case copyPart(uploadID: [UInt8], number: Int)
    case listParts(uploadID: [UInt8])
    case completeUpload(uploadID: [UInt8])
    case abortUpload(uploadID: [UInt8])

    /// Parameters of S3 features that the local storage does not have. Other unknown parameters are ignored, as in S3.
    private static let unsupportedSubresources: Set<[UInt8]> = Set(
        [
            "acl", "append", "attributes", "accelerate", "analytics", "cors", "delete", "encryption", "inventory",
            "intelligent-tiering", "legal-hold", "lifecycle", "list-type", "location", "logging", "metrics",
            "notification", "object-lock", "ownershipControls", "policy", "policyStatus", "publicAccessBlock",
            "renameObject", "replication", "requestPayment", "restore", "retention", "select", "session", "tagging",
            "torrent", "versionId", "versioning", "versions", "website",
        ].map { Array($0.utf8) })

    /// The subresources of an object that can be read.
    private static let objectReads: [(parameter: String, operation: S3Operation)] = [
        ("tagging", .objectTagging), ("acl", .objectACL),
    ]
    /// The subresources of a bucket that can be read.
    private static let bucketReads: [(parameter: String, operation: S3Operation)] = [
        ("location", .bucketLocation), ("versioning", .bucketVersioning), ("acl", .bucketACL),
        ("uploads", .listUploads),
    ]

    init(_ request: S3Request) throws(S3Error) {
        if request.key.isEmpty {
            self = try Self.bucketOperation(request)
            return
        }
        let read = Self.read(of: Self.objectReads, request)
        try Self.checkParameters(request, except: read?.parameter)
        guard request.key.count <= S3Limits.key else { throw .keyTooLong(request.key.count) }
        if let read {
            self = read.operation
        } else if request.parameter("uploads") != nil {
            self = try Self.allowed(["POST": .createUpload], request)
        } else if let id = request.parameter("uploadId") {
            var operations: [String: S3Operation] = [
                "GET": .listParts(uploadID: id), "POST": .completeUpload(uploadID: id),
                "DELETE": .abortUpload(uploadID: id),
            ]
            if let number = try Self.partNumber(request) {
                let copies = request.header("x-amz-copy-source") != nil
                operations["PUT"] =
                    copies ? .copyPart(uploadID: id, number: number) : .uploadPart(uploadID: id, number: number)
            }
            self = try Self.allowed(operations, request)
        } else {
            let part = try Self.partNumber(request)
            guard part == nil || [.get, .head].contains(request.method) else {
                throw .invalidArgument(
                    "This operation does not accept partNumber without uploadId", name: "partNumber",
                    value: request.parameter("partNumber") ?? [])
            }
            let put: S3Operation = request.header("x-amz-copy-source") == nil ? .putObject : .copyObject
            self = try Self.allowed(
                [
                    "GET": .getObject(part: part), "HEAD": .headObject(part: part), "PUT": put,
                    "DELETE": .deleteObject,
                ], request)
        }
    }

    /// Returns the subresource that a GET reads; nil for others.
    private static func read(
        of reads: [(parameter: String, operation: S3Operation)], _ request: S3Request
    ) -> (parameter: String, operation: S3Operation)? {
        request.method == .get ? reads.first { request.parameter($0.parameter) != nil } : nil
    }

    /// Returns the operation of a request without a key.
    private static func bucketOperation(_ request: S3Request) throws(S3Error) -> S3Operation {
        let operation: S3Operation?
        let read = request.bucket.isEmpty ? nil : read(of: bucketReads, request)
        var own = read?.parameter
        switch request.method.description {
        case "GET" where request.bucket.isEmpty: operation = .listBuckets
        case "HEAD" where !request.bucket.isEmpty: operation = .headBucket
        case "GET" where read != nil: operation = read?.operation
        case "GET" where request.parameter("list-type")?.elementsEqual("2".utf8) ?? false:
            (operation, own) = (.listObjects, "list-type")
        case "GET": operation = .listObjectsV1
        case "POST" where request.parameter("delete") != nil: (operation, own) = (.deleteObjects, "delete")
        default: operation = nil
        }
        try checkParameters(request, except: own)
        // Clients create a bucket before they use it; its absence was found before.
        if request.method == .put, !request.bucket.isEmpty { throw .bucketExists(request.bucket) }
        guard let operation else {
            throw .notImplemented(
                "requests to a bucket other than HeadBucket, GetBucketLocation, GetBucketVersioning, GetBucketAcl, "
                    + "ListObjects, ListObjectsV2, ListMultipartUploads and DeleteObjects; the buckets are those of "
                    + "the configuration")
        }
        return operation
    }

    /// Throws for a parameter of a feature that the storage does not have.
    private static func checkParameters(_ request: S3Request, except own: String?) throws(S3Error) {
        let found = request.query.map(\.name).first { name in
            unsupportedSubresources.contains(name) && !name.elementsEqual((own ?? "").utf8)
        }
        guard let found else { return }
        throw .notImplemented("the parameter '\(String(decoding: found, as: UTF8.self))'")
    }

    private static func partNumber(_ request: S3Request) throws(S3Error) -> Int? {
        guard let text = request.parameter("partNumber") else { return nil }
        guard let number = Int(decimal: text.span, in: S3Limits.partNumbers) else {
            throw .invalidArgument(
                "Part number must be an integer between 1 and 10000, inclusive", name: "partNumber", value: text)
        }
        return number
    }

    private static func allowed(
        _ operations: [String: S3Operation], _ request: S3Request
    ) throws(S3Error) -> S3Operation {
        guard let operation = operations[request.method.description] else {
            throw notAllowed(request.method, allowed: operations.keys.sorted())
        }
        return operation
    }

    /// Refuses a method that no operation on objects uses. Called before authentication.
    static func check(_ method: HTTPMethod) throws(S3Error) {
        let known = ["DELETE", "GET", "HEAD", "POST", "PUT"]
        guard known.contains(method.description) else { throw notAllowed(method, allowed: known) }
    }

    private static func notAllowed(_ method: HTTPMethod, allowed: [String]) -> S3Error {
        var error = S3Error(
            405, "MethodNotAllowed", "The specified method is not allowed against this resource.",
            [("Method", method.bytes), ("ResourceType", Array("OBJECT".utf8))])
        error.header = ("allow", allowed.joined(separator: ", "))
        return error
    }
}
