package import AccessRules
package import Presigning

extension PresignFields {
    /// Returns the operation that the fields ask for.
    ///
    /// - Throws: `Problem` 400 that names each field that does not fit the operation.
    package func operation() throws(Problem) -> AWSS3SigningOperation {
        let operation = try namedOperation()
        let failures = failures(for: operation)
        guard failures.isEmpty else { throw .validation(failures) }
        return operation
    }

    /// Returns the operation for a method, an upload id and a part number, as in Uppy's `signRequest`.
    private func namedOperation() throws(Problem) -> AWSS3SigningOperation {
        if isListing { return .listObjectsV2(prefix: String(decoding: path, as: UTF8.self)) }
        switch (method ?? .get, uploadId, partNumber) {
        case (.get, nil, nil): return .getObject
        case (.head, nil, nil): return .headObject
        case (.put, nil, nil): return .putObject
        case (.delete, nil, nil): return .deleteObject
        // The rules treat a form as the upload of a whole object.
        case (.post, nil, nil): return isForm ? .putObject : .createMultipartUpload
        case (.put, let id?, let number?): return .uploadPart(partNumber: Int(number), uploadId: id)
        case (.post, let id?, nil): return .completeMultipartUpload(uploadId: id)
        case (.get, let id?, nil): return .listParts(uploadId: id)
        case (.delete, let id?, nil): return .abortMultipartUpload(uploadId: id)
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

    /// Returns the request that the rules decide.
    package func accessRequest(for operation: AWSS3SigningOperation, of caller: Caller) -> AccessRequest {
        var overrides: [ResponseOverride: [UInt8]] = [:]
        for (override, value) in responseOverrides { overrides[override] = Array(value.utf8) }
        var request = AccessRequest(
            caller: caller, action: operation.traits.action, key: path, store: store, contentType: contentType,
            contentLength: contentLength, partNumber: partNumber, checksum: checksumSHA256 == nil ? nil : .sha256,
            expiresIn: share ? nil : expiresIn, step: operation.traits.step, responseOverrides: overrides,
            settings: settings,
            checksumAlgorithm: checksumAlgorithm.flatMap { ChecksumAlgorithm(name: $0) },
            namesVersion: versionId != nil, isForm: isForm)
        request.share = share ? .creation(lifetime: expiresIn) : shareUse
        return request
    }
}
