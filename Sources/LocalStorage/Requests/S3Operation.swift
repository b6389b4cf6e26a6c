import HTTP1
import Presigning
import Text

/// The operation of a request, which its method and the query parameters that S3 calls subresources determine.
enum S3Operation: Sendable, Equatable {
    case getObject
    case headObject
    case putObject
    case deleteObject
    case listObjects
    case createUpload
    case uploadPart(uploadID: [UInt8], number: Int)
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

    init(_ request: S3Request) throws(S3Error) {
        if Self.lists(request) {
            self = .listObjects
            return
        }
        if let name = request.query.first(where: { Self.unsupportedSubresources.contains($0.name) })?.name {
            throw .notImplemented("the parameter '\(String(decoding: name, as: UTF8.self))'")
        }
        guard !request.key.isEmpty else {
            throw .notImplemented("requests to a bucket other than ListObjectsV2; request an object")
        }
        guard request.key.count <= S3Limits.key else { throw .keyTooLong(request.key.count) }
        if request.parameter("uploads") != nil {
            self = try Self.allowed(["POST": .createUpload], request)
        } else if let id = request.parameter("uploadId") {
            let number = try Self.partNumber(request)
            let put: [String: S3Operation] = number.map { ["PUT": .uploadPart(uploadID: id, number: $0)] } ?? [:]
            let others: [String: S3Operation] = [
                "GET": .listParts(uploadID: id), "POST": .completeUpload(uploadID: id),
                "DELETE": .abortUpload(uploadID: id),
            ]
            self = try Self.allowed(put.merging(others) { first, _ in first }, request)
        } else {
            if request.parameter("partNumber") != nil { throw .notImplemented("'partNumber' without 'uploadId'") }
            self = try Self.allowed(
                ["GET": .getObject, "HEAD": .headObject, "PUT": .putObject, "DELETE": .deleteObject], request)
        }
    }

    /// Whether the request is ListObjectsV2.
    private static func lists(_ request: S3Request) -> Bool {
        let others = request.query.map(\.name).filter { !$0.elementsEqual("list-type".utf8) }
        return request.key.isEmpty && request.method == .get
            && request.parameter("list-type").map { $0.elementsEqual("2".utf8) } ?? false
            && !others.contains { $0.elementsEqual("uploads".utf8) || unsupportedSubresources.contains($0) }
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
