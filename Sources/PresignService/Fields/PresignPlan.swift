package import AccessRules
package import Presigning
import Text

/// The operation that a request asks for, the action that the rules must allow, and what is signed with it.
package struct PresignPlan: Sendable {
    package let operation: AWSS3SigningOperation
    package let action: AccessAction
    /// Signed headers other than the content type, as sent.
    package var headers: [(name: String, value: String)]
    /// The settings of an upload, which become signed headers too.
    package var settings: [UploadSetting]
    /// Extra query parameters, as sent.
    package let query: [(name: String, value: String)]

    /// - Throws: `Problem` 400 that names each field that does not fit the operation.
    package init(_ fields: PresignFields) throws(Problem) {
        let (operation, action) = try Self.operation(of: fields)
        (headers, query) = try Self.details(of: fields, for: operation)
        settings = fields.settings
        self.operation = operation
        self.action = action
    }

    /// Returns the request that the rules decide.
    func accessRequest(of caller: Caller, _ fields: PresignFields) -> AccessRequest {
        var overrides: [ResponseOverride: [UInt8]] = [:]
        for (name, value) in fields.responseOverrides {
            if let override = ResponseOverride(rawValue: name.rawValue) { overrides[override] = Array(value.utf8) }
        }
        return AccessRequest(
            caller: caller, action: action, key: fields.path, store: fields[.store],
            contentType: fields[.contentType], contentLength: fields.contentLength, partNumber: fields.partNumber,
            checksum: fields[.checksumSHA256] == nil ? nil : .sha256, expiresIn: fields.expiresIn,
            step: operation.multipartStep, responseOverrides: overrides, settings: fields.settings,
            checksumAlgorithm: fields[.checksumAlgorithm].flatMap { ChecksumAlgorithm(name: $0) },
            namesVersion: fields[.versionId] != nil)
    }

    /// Returns the task that signs the request.
    ///
    /// - Parameter key: the object's full key, or the full prefix of a listing.
    package func task(
        _ fields: PresignFields, key: StoragePath, in bucket: S3Bucket, expiresIn: Int, window: Int,
        validateObjectExistence: Bool = false
    ) -> AWSS3StorageGetURLTask {
        if fields.isListing { return listingTask(fields, prefix: key, in: bucket, expiresIn: expiresIn) }
        return AWSS3StorageGetURLTask(
            operation, key: key, in: bucket, expiresIn: expiresIn, contentType: fields[.contentType],
            headers: settings.isEmpty ? headers : headers + UploadSetting.headers(of: settings), query: query,
            validateObjectExistence: validateObjectExistence,
            useAccelerateEndpoint: fields.useAccelerateEndpoint, window: window)
    }

    /// Returns the additional headers and query parameters to sign.
    private static func details(
        of fields: PresignFields, for operation: AWSS3SigningOperation
    ) throws(Problem) -> (headers: [(name: String, value: String)], query: [(name: String, value: String)]) {
        let overrides = fields.responseOverrides
        var failures: [FieldFailure] = []
        failures.checkLength(of: fields, for: operation)
        failures.checkChecksum(of: fields, for: operation)
        failures.checkCondition(of: fields, for: operation)
        failures.checkContentType(of: fields, for: operation)
        failures.check(overrides, for: operation)
        failures.checkSettings(of: fields, for: operation)
        failures.checkOptions(of: fields, for: operation)
        if fields.isListing { failures.checkListing(of: fields) }
        guard failures.isEmpty else { throw .validation(failures) }
        var headers: [(name: String, value: String)] = []
        if let length = fields.contentLength, let name = operation.lengthHeader {
            headers.append((name, String(length)))
        }
        if let checksum = fields[.checksumSHA256] { headers.append(("x-amz-checksum-sha256", checksum)) }
        if let condition = fields[.ifNoneMatch] { headers.append(("if-none-match", condition)) }
        if let algorithm = fields[.checksumAlgorithm] { headers.append(("x-amz-checksum-algorithm", algorithm)) }
        if let mode = fields[.checksumMode] { headers.append(("x-amz-checksum-mode", mode)) }
        var query = overrides.map { (name: $0.name.responseParameter ?? $0.name.rawValue, value: $0.value) }
        if let version = fields[.versionId] { query.append(("versionId", version)) }
        return (headers, fields.isListing ? listingQuery(of: fields) : query)
    }

    /// Returns the operation for a method, an upload id and a part number, as in Uppy's `signRequest`.
    private static func operation(
        of fields: PresignFields
    ) throws(Problem) -> (AWSS3SigningOperation, AccessAction) {
        let method = fields.method ?? .get
        if fields.isListing { return (.listObjectsV2(prefix: String(decoding: fields.path, as: UTF8.self)), .list) }
        if fields[.uploadId] == nil, fields.partNumber == nil {
            return switch method {
            case .get: (.getObject, .get)
            case .head: (.headObject, .get)
            case .put: (.putObject, .write)
            case .delete: (.deleteObject, .delete)
            case .post: (.createMultipartUpload, .multipart)
            }
        }
        switch (method, fields[.uploadId], fields.partNumber) {
        case (.put, let id?, let number?): return (.uploadPart(partNumber: Int(number), uploadId: id), .multipart)
        case (.post, let id?, nil): return (.completeMultipartUpload(uploadId: id), .multipart)
        case (.get, let id?, nil): return (.listParts(uploadId: id), .multipart)
        case (.delete, let id?, nil): return (.abortMultipartUpload(uploadId: id), .multipart)
        case (.put, .some, nil):
            throw .validation([
                FieldFailure("partNumber", "is missing; PUT with uploadId needs the part's number, 1 to 10000")
            ])
        case (.put, nil, .some):
            throw .validation([FieldFailure("uploadId", "is missing; partNumber needs the id of its multipart upload")])
        case (.head, .some, _): throw .validation([FieldFailure("uploadId", "is not allowed with HEAD")])
        default: throw .validation([FieldFailure("partNumber", "is allowed only with PUT and uploadId")])
        }
    }
}

/// Each check appends what is wrong with the fields.
extension [FieldFailure] {
    fileprivate mutating func checkLength(of fields: PresignFields, for operation: AWSS3SigningOperation) {
        guard let length = fields.contentLength else { return }
        if operation.lengthHeader == nil {
            append(
                FieldFailure("contentLength", "is allowed only with PUT and when completing a multipart upload"))
        }
        if !PresignFields.possibleLength.contains(length) {
            append(FieldFailure("contentLength", "is \(length) bytes; must be 0 to 5497558138880 (5 TiB)"))
        }
    }

    fileprivate mutating func checkChecksum(of fields: PresignFields, for operation: AWSS3SigningOperation) {
        guard let checksum = fields[.checksumSHA256] else { return }
        if !operation.sendsContent { append(FieldFailure("checksumSHA256", "is allowed only with PUT")) }
        if Base64.decode(checksum.utf8.span)?.count != 32 {
            append(
                FieldFailure("checksumSHA256", "must be a SHA-256 digest in Base64: 44 characters for 32 bytes"))
        }
    }

    fileprivate mutating func checkCondition(of fields: PresignFields, for operation: AWSS3SigningOperation) {
        guard let condition = fields[.ifNoneMatch] else { return }
        if !operation.createsObject {
            append(
                FieldFailure(
                    "ifNoneMatch", "is allowed only with PUT of a whole object or completing a multipart upload"))
        }
        if condition != "*" { append(FieldFailure("ifNoneMatch", "must be \"*\"")) }
    }

    fileprivate mutating func checkContentType(of fields: PresignFields, for operation: AWSS3SigningOperation) {
        guard fields[.contentType] != nil, let step = operation.multipartStep, step != .create else { return }
        append(
            FieldFailure(
                "contentType",
                "is not allowed in this step; set it when creating the multipart upload (POST without uploadId)"))
    }

    fileprivate mutating func check(
        _ overrides: [(name: PresignFieldName, value: String)], for operation: AWSS3SigningOperation
    ) {
        if operation != .getObject, operation != .headObject {
            for override in overrides {
                append(FieldFailure(override.name.rawValue, "is allowed only with GET and HEAD of an object"))
            }
        }
        for override in overrides where override.value.utf8.isEmpty {
            append(
                FieldFailure(override.name.rawValue, "must not be empty; omit it to keep the object's value"))
        }
        // The storage returns these as headers, and some servers copy them unescaped (header injection).
        for override in overrides where !override.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
            append(FieldFailure(override.name.rawValue, "must not contain control characters"))
        }
    }
}

extension AWSS3SigningOperation {
    /// Whether the request's body becomes an object's content.
    fileprivate var sendsContent: Bool {
        switch self {
        case .putObject, .uploadPart: true
        case .completeMultipartUpload, .createMultipartUpload, .getObject, .headObject, .deleteObject,
            .abortMultipartUpload, .listParts, .listObjectsV2:
            false
        }
    }

    /// The header that carries `contentLength`: of the body, or of the object that the parts become (S3 API Reference,
    /// CompleteMultipartUpload). Nil if the operation has none.
    fileprivate var lengthHeader: String? {
        switch self {
        case .putObject, .uploadPart: "content-length"
        case .completeMultipartUpload: "x-amz-mp-object-size"
        case .createMultipartUpload, .getObject, .headObject, .deleteObject, .abortMultipartUpload, .listParts,
            .listObjectsV2:
            nil
        }
    }

    /// Whether the request creates an object.
    fileprivate var createsObject: Bool {
        switch self {
        case .putObject, .completeMultipartUpload: true
        case .uploadPart, .createMultipartUpload, .getObject, .headObject, .deleteObject, .abortMultipartUpload,
            .listParts, .listObjectsV2:
            false
        }
    }

    /// The step of a multipart upload; nil for other operations.
    var multipartStep: MultipartStep? {
        switch self {
        case .createMultipartUpload: .create
        case .uploadPart: .part
        case .listParts: .list
        case .completeMultipartUpload: .complete
        case .abortMultipartUpload: .abort
        case .getObject, .headObject, .putObject, .deleteObject, .listObjectsV2: nil
        }
    }
}
