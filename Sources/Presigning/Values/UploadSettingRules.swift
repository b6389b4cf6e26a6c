import Text

/// S3's rules for the settings of an upload (Amazon S3 User Guide, "Working with object metadata", "Categorizing your
/// objects using tags", "Canned ACL").
package enum UploadSettingRules {
    private static let maximumStorageClass = 64
    private static let metadataPrefix: StaticString = "x-amz-meta-"
    static let publicRead = "public-read"
    /// The other lists of S3 let everyone write, or name groups of accounts that only AWS has.
    private static let accessControlLists = ["private", publicRead, "bucket-owner-full-control"]
    static let kms = "aws:kms"
    private static let encryptions = ["AES256", kms]

    /// Returns what is wrong with one setting; nil if it is valid.
    static func flaw(of setting: UploadSetting) -> String? {
        switch setting.name {
        case .metadata: flaw(ofMetadata: setting.entry ?? [], setting.value)
        case .tagging: flaw(ofTag: setting.entry ?? [], setting.value)
        case .storageClass:
            1...maximumStorageClass ~= setting.value.count && setting.value.allSatisfy(isStorageClass)
                ? nil : "must be the name of a storage class, such as STANDARD_IA"
        case .serverSideEncryption:
            encryptions.contains { setting.value.elementsEqual($0.utf8) }
                ? nil : "must be \(encryptions.alternatives); encryption with a customer's key (SSE-C) is not offered"
        case .kmsKeyId:
            !setting.value.isEmpty && setting.value.allSatisfy(ASCII.isVisible)
                ? nil : "must be the id, ARN or alias of a KMS key, without spaces"
        case .acl:
            accessControlLists.contains { setting.value.elementsEqual($0.utf8) }
                ? nil : "must be \(accessControlLists.alternatives)"
        case .cacheControl, .contentDisposition, .contentEncoding, .contentLanguage:
            flaw(ofHeader: setting.value, isDisposition: setting.name == .contentDisposition)
        }
    }

    /// Returns what is wrong with the value of a header that the storage returns; nil if it is valid. A file name that is
    /// not ASCII is spelled as it has to be sent.
    package static func flaw(ofHeader value: [UInt8], isDisposition: Bool) -> String? {
        if value.allSatisfy(ASCII.isBlank) { return "must not be empty" }
        if value.allSatisfy(ASCII.isPrintable) { return nil }
        guard isDisposition else { return "must be printable ASCII" }
        let fix = ContentDisposition(value)?.inASCII.map { "send `\($0)`" }
        return "must be printable ASCII; " + (fix ?? "write other file names as filename*=UTF-8''caf%C3%A9.txt")
    }

    private static func flaw(ofMetadata name: [UInt8], _ value: [UInt8]) -> String? {
        guard !name.span.startsIgnoringCase(with: metadataPrefix) else {
            return "has a name that begins with `\(metadataPrefix)`, which presign adds; leave out the prefix"
        }
        guard !name.isEmpty, name.allSatisfy(ASCII.isToken) else {
            return "has an invalid name; use letters, digits, hyphens and underscores"
        }
        return value.allSatisfy(ASCII.isPrintable)
            ? nil : "must be printable ASCII; encode other text, for example in Base64"
    }

    private static func flaw(ofTag name: [UInt8], _ value: [UInt8]) -> String? {
        guard !name.span.startsIgnoringCase(with: "aws:") else {
            return "has a name that begins with `aws:`, which is reserved"
        }
        let isValid =
            S3Limits.tagName ~= characters(of: name) && S3Limits.tagValue ~= characters(of: value)
            && name.allSatisfy(isTag) && value.allSatisfy(isTag)
        return isValid
            ? nil
            : "must have a name of 1 to \(S3Limits.tagName.upperBound) and a value of at most "
                + "\(S3Limits.tagValue.upperBound) characters: letters, digits, spaces and + - = . _ : / @"
    }

    private static func characters(of text: [UInt8]) -> Int {
        String(decoding: text, as: UTF8.self).unicodeScalars.count
    }

    /// Letters beyond ASCII are left to the storage.
    private static func isTag(_ byte: UInt8) -> Bool {
        byte >= 0x80 || ASCII.isAlphanumeric(byte) || " +-=._:/@".utf8.contains(byte)
    }

    private static func isStorageClass(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
