import Text

/// A property of an uploaded object that a signed header sets, such as its storage class or one tag.
package struct UploadSetting: Sendable, Hashable {
    /// The kinds of settings. The raw value is the field of a request and the key of a rule.
    package enum Name: String, Sendable, CaseIterable {
        case metadata, cacheControl, contentDisposition, contentEncoding, contentLanguage
        case storageClass, tagging, serverSideEncryption, kmsKeyId, acl

        /// Whether the setting only describes the content. The others decide about cost, the bucket's policies, keys,
        /// and who can read the object.
        package var describesContent: Bool {
            switch self {
            case .metadata, .cacheControl, .contentDisposition, .contentEncoding, .contentLanguage: true
            case .storageClass, .tagging, .serverSideEncryption, .kmsKeyId, .acl: false
            }
        }

        /// Whether the setting has any number of named entries.
        package var hasEntries: Bool { self == .metadata || self == .tagging }

        /// The header that carries the setting; for metadata, the prefix of the headers.
        fileprivate var header: String {
            switch self {
            case .metadata: "x-amz-meta-"
            case .cacheControl: "cache-control"
            case .contentDisposition: "content-disposition"
            case .contentEncoding: "content-encoding"
            case .contentLanguage: "content-language"
            case .storageClass: "x-amz-storage-class"
            case .tagging: "x-amz-tagging"
            case .serverSideEncryption: "x-amz-server-side-encryption"
            case .kmsKeyId: "x-amz-server-side-encryption-aws-kms-key-id"
            case .acl: "x-amz-acl"
            }
        }
    }

    package let name: Name
    /// The name of the metadata entry, in lower case, or of the tag; nil for settings without entries.
    package let entry: [UInt8]?
    package let value: [UInt8]

    /// Validates a setting and brings it into the form that S3 stores: names of metadata in lower case, and runs of
    /// blanks in values, which signatures do not distinguish, as one space.
    ///
    /// - Parameters:
    ///   - entry: the name of the metadata entry or the tag, UTF-8.
    ///   - value: the value, UTF-8.
    package init(_ name: Name, entry: [UInt8]? = nil, value: [UInt8]) throws(InvalidUploadSetting) {
        self.name = name
        self.entry = name == .metadata ? entry.map { ASCII.lowercased($0) } : entry
        self.value = name == .tagging ? value : value.collapsingBlanks()
        if let reason = UploadSettingRules.flaw(of: self) {
            throw InvalidUploadSetting(name: name, entry: self.entry, reason: reason)
        }
    }

    /// Whether the storage lets everyone read the object.
    package var makesPublic: Bool {
        name == .acl && value.elementsEqual(UploadSettingRules.publicRead.utf8)
    }

    /// Whether both settings set the same property, to any value.
    package func concernsSame(as other: UploadSetting) -> Bool { name == other.name && entry == other.entry }
}

extension UploadSetting {
    /// Returns the settings that a header carries; nil for another header.
    ///
    /// - Parameter header: the name in lower case.
    /// - Throws: the first flaw of a value.
    package static func settings(
        of header: String, _ value: [UInt8]
    ) throws(InvalidUploadSetting) -> [UploadSetting]? {
        guard
            let name = Name.allCases.first(where: {
                $0 == .metadata ? header.utf8.starts(with: $0.header.utf8) : header.utf8.elementsEqual($0.header.utf8)
            })
        else { return nil }
        switch name {
        case .metadata:
            return [try .init(name, entry: Array(header.utf8.dropFirst(name.header.utf8.count)), value: value)]
        case .tagging:
            var tags: [UploadSetting] = []
            for tag in value.split(separator: UInt8(ascii: "&")) {
                let entry = tag.prefix { $0 != UInt8(ascii: "=") }
                guard let decoded = PercentEncoding.decode(entry),
                    let text = PercentEncoding.decode(tag.dropFirst(entry.count + 1))
                else { throw InvalidUploadSetting(name: name, reason: "has an invalid percent escape") }
                tags.append(try .init(name, entry: decoded, value: text))
            }
            return tags
        default: return [try .init(name, value: value)]
        }
    }

    /// Returns the headers that carry the settings. All tags share one header.
    package static func headers(of settings: [UploadSetting]) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = []
        var tags: [UInt8] = []
        for setting in settings {
            if setting.name == .tagging {
                if !tags.isEmpty { tags.append(UInt8(ascii: "&")) }
                tags += PercentEncoding.query.encode(setting.entry ?? [])
                tags.append(UInt8(ascii: "="))
                tags += PercentEncoding.query.encode(setting.value)
            } else {
                headers.append(
                    (
                        setting.name.header + String(decoding: setting.entry ?? [], as: UTF8.self),
                        String(decoding: setting.value, as: UTF8.self)
                    ))
            }
        }
        if !tags.isEmpty { headers.append((Name.tagging.header, String(decoding: tags, as: UTF8.self))) }
        return headers
    }

    /// Returns the fields of an HTML form that carry the settings. All tags share one field, an XML document, and the
    /// field of an access control list is not named as its header.
    ///
    /// Source: Amazon S3 API reference, "POST Object".
    package static func formFields(of settings: [UploadSetting]) -> [(name: String, value: String)] {
        let tags = settings.filter { $0.name == .tagging }
        // No character of a tag needs to be escaped.
        let items = tags.map { tag in
            "<Tag><Key>\(String(decoding: tag.entry ?? [], as: UTF8.self))</Key>"
                + "<Value>\(String(decoding: tag.value, as: UTF8.self))</Value></Tag>"
        }
        let others = headers(of: settings.filter { $0.name != .tagging }).map { header in
            (name: header.name == Name.acl.header ? Name.acl.rawValue : header.name, value: header.value)
        }
        return others
            + (tags.isEmpty ? [] : [("tagging", "<Tagging><TagSet>\(items.joined())</TagSet></Tagging>")])
    }

    /// Checks settings that are signed together: total size, duplicates, number of tags, and the use of a KMS key.
    ///
    /// - Throws: the first flaw.
    package static func check(_ settings: [UploadSetting]) throws(InvalidUploadSetting) {
        let metadata = settings.filter { $0.name == .metadata }
        let size = metadata.reduce(0) { $0 + ($1.entry?.count ?? 0) + $1.value.count }
        guard size <= S3Limits.metadata else {
            throw InvalidUploadSetting(
                name: .metadata,
                reason: "has \(size) bytes of names and values; S3 stores at most \(S3Limits.metadata)"
            )
        }
        var names: Set<[UInt8]> = []
        for case .some(let name) in metadata.map(\.entry) where !names.insert(name).inserted {
            throw InvalidUploadSetting(name: .metadata, entry: name, reason: "is a duplicate; names ignore case")
        }
        let tags = settings.count { $0.name == .tagging }
        guard tags <= S3Limits.tags else {
            throw InvalidUploadSetting(
                name: .tagging, reason: "has \(tags) tags; S3 stores at most \(S3Limits.tags)")
        }
        let usesKMS = settings.contains {
            $0.name == .serverSideEncryption && $0.value.elementsEqual(UploadSettingRules.kms.utf8)
        }
        guard usesKMS || !settings.contains(where: { $0.name == .kmsKeyId }) else {
            throw InvalidUploadSetting(
                name: .kmsKeyId, reason: "requires `serverSideEncryption` to be \(UploadSettingRules.kms)")
        }
    }
}

/// A setting that S3 would not accept.
package struct InvalidUploadSetting: Error, Sendable, Equatable {
    package let name: UploadSetting.Name
    /// The name of the metadata entry or tag, if one is invalid.
    package let entry: [UInt8]?
    /// What is wrong and how to fix it. The name of the setting precedes it.
    package let reason: String

    init(name: UploadSetting.Name, entry: [UInt8]? = nil, reason: String) {
        (self.name, self.entry, self.reason) = (name, entry, reason)
    }
}
