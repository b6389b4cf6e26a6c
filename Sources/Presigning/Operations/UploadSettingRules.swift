import Text

/// S3's rules for the settings of an upload (Amazon S3 User Guide, "Working with object metadata" and "Categorizing
/// your storage using tags").
enum UploadSettingRules {
    /// The maximum size of all names and values of metadata in bytes.
    static let maximumMetadata = 2048
    static let maximumTags = 10
    private static let maximumTagName = 128
    private static let maximumTagValue = 256
    private static let maximumStorageClass = 64
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
        case .contentDisposition:
            flaw(ofText: setting.value).map { $0 + "; write other file names as filename*=UTF-8''caf%C3%A9.txt" }
        case .cacheControl, .contentEncoding, .contentLanguage: flaw(ofText: setting.value)
        }
    }

    private static func flaw(ofText text: [UInt8]) -> String? {
        if text.isEmpty { return "must not be empty" }
        return text.allSatisfy(ASCII.isPrintable) ? nil : "must be printable ASCII"
    }

    private static func flaw(ofMetadata name: [UInt8], _ value: [UInt8]) -> String? {
        guard !name.isEmpty, name.allSatisfy(ASCII.isToken) else {
            return "has an invalid name; use letters, digits, hyphens and underscores"
        }
        return value.allSatisfy(ASCII.isPrintable)
            ? nil : "must be printable ASCII; encode other text, for example in Base64"
    }

    private static func flaw(ofTag name: [UInt8], _ value: [UInt8]) -> String? {
        let length = String(decoding: name, as: UTF8.self).unicodeScalars.count
        guard 1...maximumTagName ~= length else {
            return "must have a name of 1 to \(maximumTagName) characters"
        }
        guard !name.span.startsIgnoringCase(with: "aws:") else {
            return "has a name that begins with `aws:`, which is reserved"
        }
        guard String(decoding: value, as: UTF8.self).unicodeScalars.count <= maximumTagValue else {
            return "must have a value of at most \(maximumTagValue) characters"
        }
        guard name.allSatisfy(isTag), value.allSatisfy(isTag) else {
            return "must consist of letters, digits, spaces and + - = . _ : / @"
        }
        return nil
    }

    /// Letters beyond ASCII are left to the storage.
    private static func isTag(_ byte: UInt8) -> Bool {
        byte >= 0x80 || ASCII.isAlphanumeric(byte) || " +-=._:/@".utf8.contains(byte)
    }

    private static func isStorageClass(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
