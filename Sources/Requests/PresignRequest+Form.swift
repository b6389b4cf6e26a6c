package import Presigning
import Text

/// HTML forms: `POST` with `form`.
extension PresignRequest {
    /// The statuses that a storage can respond with (Amazon S3 API reference, "POST Object").
    private static let statuses: [Int64] = [200, 201, 204]
    /// Its response names the object, and Ceph allows browsers to read it, unlike a 204.
    private static let defaultStatus: Int64 = 201

    /// Checks the fields of a form, and those that only a form may have.
    func checkForm(_ failures: inout [FieldFailure]) {
        guard isForm else {
            if self.successStatus != nil { failures.append(.onlyInForm("successStatus")) }
            if self.successRedirect != nil { failures.append(.onlyInForm("successRedirect")) }
            return
        }
        func require(_ isValid: Bool, _ field: String, _ detail: String) {
            if !isValid { failures.append(FieldFailure(field, detail)) }
        }
        require(method == .post, "method", "must be POST with `form`")
        require(!hasPrefix, "prefix", "is not allowed with `form`; send `path`")
        require(self.uploadId == nil, "uploadId", "is not allowed with `form`")
        require(contentType != nil, "contentType", "is missing; a form is for one exact type")
        require(ifNoneMatch == nil, "ifNoneMatch", "is not allowed with `form`, which can replace an object; use PUT")
        require(
            self.successStatus.map(Self.statuses.contains) ?? true, "successStatus", "must be 200, 201 or 204")
        require(
            self.successStatus == nil || self.successRedirect == nil, "successStatus",
            "cannot be combined with `successRedirect`; send one of them")
        require(
            self.successRedirect == nil || redirectOrigin != nil, "successRedirect",
            "must be an http or https URL in ASCII without a fragment")
    }

    /// The origin of `successRedirect` as browsers write it; nil if that is not a valid URL.
    package var redirectOrigin: [UInt8]? {
        guard let bytes = self.successRedirect.map({ Array($0.utf8) }), bytes.allSatisfy(ASCII.isVisible),
            let url = try? AbsoluteURL(bytes.span)
        else { return nil }
        return Array(bytes[..<url.authorityRange.upperBound])
    }

    /// Returns the policy of the form.
    ///
    /// - Parameters:
    ///   - prefix: the store's prefix, which precedes every key.
    ///   - expiresIn: seconds.
    ///   - maximumSize: bytes; bounds the file unless the request names its length.
    package func policy(prefix: [UInt8], in bucket: S3Bucket, expiresIn: Int, maximumSize: Int64) -> PostPolicy {
        var fields = [(name: "Content-Type", value: contentType ?? "")]
        if let checksumSHA256 { fields.append((ChecksumAlgorithm.sha256.header, checksumSHA256)) }
        fields += UploadSetting.formFields(of: settings)
        if let successRedirect = self.successRedirect {
            fields.append(("success_action_redirect", successRedirect))
        } else {
            fields.append(("success_action_status", String(self.successStatus ?? Self.defaultStatus)))
        }
        return PostPolicy(
            key: StoragePath(bytes: prefix + path), in: bucket, expiresIn: expiresIn,
            contentLength: contentLength.map { $0...$0 } ?? 0...maximumSize, fields: fields,
            useAccelerateEndpoint: useAccelerateEndpoint)
    }
}

extension FieldFailure {
    fileprivate static func onlyInForm(_ field: String) -> FieldFailure {
        FieldFailure(field, "is allowed only with `form`")
    }
}
