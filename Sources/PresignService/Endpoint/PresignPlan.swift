import Presigning

/// What the members of a request come to: the operation to sign, what it needs from the rules, and what is signed with it.
struct PresignPlan {
    let operation: AWSS3SigningOperation
    let action: AccessAction
    /// True where the object gets its content type.
    var setsContentType: Bool { operation == .putObject || operation == .createMultipartUpload }
    /// True where the storage makes an object, which it can refuse to do over another one.
    let takesIfNoneMatch: Bool
    /// Signed headers besides the content type, in wire form.
    let headers: [(name: String, value: String)]
    /// Extra query parameters, in wire form.
    let query: [(name: String, value: String)]

    /// - Throws: `Problem` 400 naming each member that does not fit the operation.
    init(_ fields: borrowing PresignFields) throws(Problem) {
        var failures: [FieldFailure] = []
        (operation, action) = try Self.operation(of: fields)
        if case .completeMultipartUpload = operation {
            takesIfNoneMatch = true
        } else {
            takesIfNoneMatch = operation == .putObject
        }
        let writes = operation == .putObject || action == .multipart && operation.method == "PUT"
        var headers: [(name: String, value: String)] = []
        if let length = fields.contentLength {
            if !writes { failures.append(FieldFailure("contentLength", "goes with PUT only")) }
            if !PresignFields.possibleLength.contains(length) {
                failures.append(FieldFailure("contentLength", "must be 0 to 5497558138880 bytes (5 TiB)"))
            }
            headers.append(("content-length", String(length)))
        }
        if let checksum = fields.checksumSHA256 {
            if !writes { failures.append(FieldFailure("checksumSHA256", "goes with PUT only")) }
            if !Self.isSHA256(checksum) {
                failures.append(FieldFailure("checksumSHA256", "must be the base 64 of 32 bytes"))
            }
            headers.append(("x-amz-checksum-sha256", checksum))
        }
        if let condition = fields.ifNoneMatch {
            if !takesIfNoneMatch {
                failures.append(
                    FieldFailure(
                        "ifNoneMatch", "goes with PUT of a whole object, or with completing a multipart upload"))
            }
            if condition != "*" { failures.append(FieldFailure("ifNoneMatch", "must be \"*\"")) }
            headers.append(("if-none-match", condition))
        }
        if !fields.responseOverrides.isEmpty, operation != .getObject, operation != .headObject {
            for override in fields.responseOverrides {
                failures.append(FieldFailure(Self.memberName(of: override.name), "goes with GET and HEAD only"))
            }
        }
        // S3 sends these back as headers; some servers copy them as they are.
        for override in fields.responseOverrides where !override.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
            failures.append(FieldFailure(Self.memberName(of: override.name), "must not hold control characters"))
        }
        guard failures.isEmpty else { throw .validation(failures) }
        self.headers = headers
        query = fields.responseOverrides
    }

    /// Method, upload id and part number choose the operation, as Uppy's `signRequest` has it.
    private static func operation(
        of fields: borrowing PresignFields
    ) throws(Problem) -> (AWSS3SigningOperation, AccessAction) {
        let method = fields.method ?? .get
        switch (method, fields.uploadId, fields.partNumber) {
        case (.get, nil, nil): return (.getObject, .get)
        case (.head, nil, nil): return (.headObject, .get)
        case (.put, nil, nil): return (.putObject, .write)
        case (.delete, nil, nil): return (.deleteObject, .delete)
        case (.post, nil, nil): return (.createMultipartUpload, .multipart)
        case (.put, let id?, let number?): return (.uploadPart(partNumber: Int(number), uploadId: id), .multipart)
        case (.post, let id?, nil): return (.completeMultipartUpload(uploadId: id), .multipart)
        case (.get, let id?, nil): return (.listParts(uploadId: id), .multipart)
        case (.delete, let id?, nil): return (.abortMultipartUpload(uploadId: id), .multipart)
        case (.put, .some, nil):
            throw .validation([FieldFailure("partNumber", "is missing; PUT with uploadId uploads one part")])
        case (.put, nil, .some):
            throw .validation([FieldFailure("uploadId", "is missing; a part belongs to a multipart upload")])
        case (.head, .some, _): throw .validation([FieldFailure("uploadId", "does not go with HEAD")])
        default: throw .validation([FieldFailure("partNumber", "goes with PUT and uploadId only")])
        }
    }

    /// 32 bytes are 43 characters and one "="; the last character's two lowest bits must be unset.
    private static func isSHA256(_ text: String) -> Bool {
        let text = Array(text.utf8)
        guard text.count == 44, text.last == UInt8(ascii: "=") else { return false }
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let digits = text.dropLast().map { alphabet.firstIndex(of: $0) }
        return digits.allSatisfy { $0 != nil } && (digits.last ?? nil).map { $0 & 3 == 0 } == true
    }

    private static func memberName(of parameter: String) -> String {
        PresignFieldName.allCases.first { $0.responseParameter == parameter }?.rawValue ?? parameter
    }
}
