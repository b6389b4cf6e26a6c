import Presigning
import Text

extension PresignRequest {
    /// Selects the operation, and checks the fields against it.
    ///
    /// - Throws: `InvalidRequest` with each field that does not fit the operation.
    package mutating func selectOperation() throws(InvalidRequest) {
        traits = try Self.operation(method ?? .get, self.uploadId != nil, self.partNumber != nil, hasPrefix, isForm)
            .traits
        let failures = failures()
        guard failures.isEmpty else { throw InvalidRequest(failures) }
        if newShare != nil { takeShareTerms() }
        isSelected = true
    }

    /// Returns the operation for a method, an upload id and a part number, as in Uppy's `signRequest`.
    private static func operation(
        _ method: Method, _ hasUploadId: Bool, _ hasPartNumber: Bool, _ hasPrefix: Bool, _ isForm: Bool
    ) throws(InvalidRequest) -> AWSS3SigningOperation.Kind {
        if hasPrefix { return .listObjectsV2 }
        switch (method, hasUploadId, hasPartNumber) {
        case (.get, false, false): return .getObject
        case (.head, false, false): return .headObject
        case (.put, false, false): return .putObject
        case (.delete, false, false): return .deleteObject
        case (.post, false, false): return isForm ? .postObject : .createMultipartUpload
        case (.put, true, true): return .uploadPart
        case (.post, true, false): return .completeMultipartUpload
        case (.get, true, false): return .listParts
        case (.delete, true, false): return .abortMultipartUpload
        case (.put, true, false):
            throw InvalidRequest("partNumber", "is missing; PUT with uploadId needs the part's number, 1 to 10000")
        case (.put, false, true):
            throw InvalidRequest("uploadId", "is missing; partNumber needs the id of its multipart upload")
        case (.head, true, _): throw InvalidRequest("uploadId", "is not allowed with HEAD")
        default: throw InvalidRequest("partNumber", "is allowed only with PUT and uploadId")
        }
    }
}

extension PresignRequest {
    /// The range of `contentLength` in bytes.
    package static let possibleLength = 0...Int64(S3Limits.object)
    /// S3's tokens are shorter; longer ones would not fit into a request line.
    private static let maximumTokenLength = 2048

    /// Returns what is wrong with the fields of the operation; empty if they go together.
    private func failures() -> [FieldFailure] {
        var failures: [FieldFailure] = []
        checkUpload(&failures)
        if !responseOverrides.isEmpty { checkOverrides(&failures) }
        if !settings.isEmpty { checkSettings(&failures) }
        if hasRareFields { checkOptions(&failures) }
        if hasPrefix { checkListing(&failures) }
        if newShare != nil { checkShare(&failures) }
        if hasRareFields { checkForm(&failures) }
        return failures
    }

    private func checkUpload(_ failures: inout [FieldFailure]) {
        if let contentLength {
            if traits.length == nil {
                failures.add(
                    "contentLength", "is allowed only with PUT and when completing a multipart upload")
            }
            if !Self.possibleLength.contains(contentLength) {
                failures.add("contentLength", "is \(contentLength) bytes; must be 0 to \(S3Limits.object) (48.8 TiB)")
            }
        }
        if let checksumSHA256 {
            if !traits.sendsContent { failures.add("checksumSHA256", "is allowed only with PUT") }
            if Base64.decode(checksumSHA256.utf8.span)?.count != 32 {
                failures.add("checksumSHA256", "must be a SHA-256 digest in Base64: 44 characters for 32 bytes")
            }
        }
        if let ifNoneMatch {
            if !traits.createsObject {
                failures.add(
                    "ifNoneMatch", "is allowed only with PUT of a whole object or completing a multipart upload")
            }
            if ifNoneMatch != "*" { failures.add("ifNoneMatch", "must be `*`, without quotation marks") }
        }
        if contentType != nil, let step = traits.step, step != .create {
            failures.add(
                "contentType",
                "is not allowed in this step; set it when creating the multipart upload (POST without uploadId)")
        }
    }

    private func checkOverrides(_ failures: inout [FieldFailure]) {
        if !traits.readsObject {
            for (override, _) in responseOverrides {
                failures.add(override.rawValue, "is allowed only with GET and HEAD of an object")
            }
        }
        for (override, value) in responseOverrides {
            if let flaw = override.flaw(in: value) { failures.add(override.rawValue, flaw) }
        }
    }

    private func checkSettings(_ failures: inout [FieldFailure]) {
        guard traits.storesSettings else {
            for name in UploadSetting.Name.allCases where settings.contains(where: { $0.name == name }) {
                failures.add(
                    name.rawValue, "is allowed only with PUT of a whole object and when creating a multipart upload")
            }
            return
        }
        do throws(InvalidUploadSetting) {
            try UploadSetting.check(settings)
        } catch {
            failures.append(FieldFailure(error))
        }
    }

    /// Checks the fields that belong to one kind of operation and have few values.
    private func checkOptions(_ failures: inout [FieldFailure]) {
        if let checksumAlgorithm = self.checksumAlgorithm {
            if operation != .createMultipartUpload {
                failures.add("checksumAlgorithm", "is allowed only when creating a multipart upload")
            }
            if ChecksumAlgorithm(name: checksumAlgorithm) == nil {
                failures.add("checksumAlgorithm", "must be \(ChecksumAlgorithm.allCases.map(\.name).alternatives)")
            }
        }
        let isRead = traits.readsObject
        if let checksumMode = self.checksumMode {
            if !isRead { failures.add("checksumMode", "is allowed only with GET and HEAD of an object") }
            if checksumMode != "ENABLED" { failures.add("checksumMode", "must be ENABLED") }
        }
        if let versionId = self.versionId {
            if !isRead { failures.add("versionId", "is allowed only with GET and HEAD of an object") }
            if !(1...1024 ~= versionId.utf8.count) || versionId.utf8.contains(where: ASCII.isControl) {
                failures.add("versionId", "must have 1 to 1024 bytes and no control characters")
            }
        }
    }

    private func checkListing(_ failures: inout [FieldFailure]) {
        if method ?? .get != .get { failures.add("method", "must be GET with `prefix`") }
        if self.uploadId != nil { failures.add("uploadId", "is not allowed with `prefix`") }
        if self.partNumber != nil { failures.add("partNumber", "is not allowed with `prefix`") }
        if let refusal = ObjectKeyCheck.refusal(ofPrefix: path) {
            failures.add("prefix", "\(refusal.description). \(refusal.recoverySuggestion)")
        }
        if let delimiter = self.delimiter, !delimiter.utf8.elementsEqual("/".utf8) {
            failures.add("delimiter", "must be `/`")
        }
        if let maxKeys = self.maxKeys, !S3Limits.page.contains(Int(maxKeys)) {
            failures.add("maxKeys", "is \(maxKeys); must be 1 to \(S3Limits.page.upperBound)")
        }
        for (name, text, limit) in [
            ("continuationToken", self.continuationToken, Self.maximumTokenLength),
            ("startAfter", self.startAfter, S3Limits.key),
        ] {
            guard let text = text?.utf8 else { continue }
            if !(1...limit ~= text.count) || text.contains(where: ASCII.isControl) {
                failures.add(name, "must have 1 to \(limit) bytes and no control characters")
            }
        }
    }
}

extension ResponseOverride {
    /// Returns what is wrong with a value; nil if a storage can send it as a header.
    package func flaw(in value: [UInt8]) -> String? {
        if value.isEmpty { return "must not be empty; omit it to keep the object's value" }
        return UploadSettingRules.flaw(ofHeader: value, isDisposition: self == .contentDisposition)
    }
}

extension [FieldFailure] {
    fileprivate mutating func add(_ field: String, _ detail: String) { append(FieldFailure(field, detail)) }
}
