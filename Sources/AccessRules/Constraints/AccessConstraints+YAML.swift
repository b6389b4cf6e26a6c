import DataFormats
import Presigning
import Requests
import Text

extension AccessConstraints {
    /// Reads the sections that are present in a rule or a grant. Mistakes are collected.
    mutating func read(_ sections: [AccessLimit.Section], in rule: ConfigurationMapping) {
        for section in sections { _ = rule.value(section.rawValue) { try read(section, of: $0) } }
    }

    private mutating func read(
        _ section: AccessLimit.Section, of node: ConfigurationNode
    ) throws(ConfigurationError) {
        let keys = try node.mapping(section.keys)
        read(section, from: keys)
        if section == .expires, let node = keys[AccessLimit.defaultExpiry.rawValue], let maximumExpiry,
            defaultExpiry ?? 0 > maximumExpiry
        {
            throw node.error("must not be longer than `max`, \(maximumExpiry) s; lower it, or raise `max`")
        }
    }

    /// Reads the limits of a section from the keys that are present.
    mutating func read(_ section: AccessLimit.Section, from keys: ConfigurationMapping) {
        for limit in section.limits { _ = keys.value(limit.rawValue) { try read(limit, from: $0) } }
    }

    private mutating func read(_ limit: AccessLimit, from node: ConfigurationNode) throws(ConfigurationError) {
        switch limit {
        case .types: types = try Self.types(node)
        case .maxSize: maximumSize = Int64(try node.size(in: 1 ... .max))
        case .checksum: checksum = try node.choice(ChecksumAlgorithm.self, among: ChecksumAlgorithm.requirable)
        case .overwrite: overwrite = try node.boolean()
        case .partSize: partSize = Int64(try node.size(in: S3Limits.partSizes))
        case .accept: accept = try node.each { try $0.choice(UploadSetting.Name.self, among: UploadSetting.restricted) }
        case .set: set = try UploadSetting.list(node)
        case .versions: versions = try node.boolean()
        case .overrides: overrides = try node.choice(OverridePolicy.self)
        case .defaultExpiry: defaultExpiry = Int64(try node.seconds(in: ExpiryLimits.possible))
        case .maximumExpiry: maximumExpiry = Int64(try node.seconds(in: ExpiryLimits.possible))
        case .window: window = Int64(try node.seconds(in: URLWindow.possible))
        case .shareReads: shareReads = try Self.shareLifetime(node)
        case .shareWrites: shareWrites = try Self.shareLifetime(node)
        }
    }

    /// Reads the maximum lifetime of share links in seconds; 0 for `none`.
    private static func shareLifetime(_ node: ConfigurationNode) throws(ConfigurationError) -> Int64 {
        node.isPlain("none") ? 0 : Int64(try node.seconds(in: ShareUse.possibleLifetimes))
    }

    private static func types(_ node: ConfigurationNode) throws(ConfigurationError) -> [MediaRange] {
        let types = try node.each { item in
            let text = try item.string()
            guard let range = MediaRange(text) else {
                throw item.error("must be a content type such as image/png, image/* or \"*/*\", but is \(text.quoted)")
            }
            return range
        }
        if try node.list().isEmpty { throw node.error("must name at least one content type, such as image/*") }
        return types
    }
}

extension UploadSetting {
    /// The settings that callers choose only where `accept` names them.
    fileprivate static let restricted = Name.allCases.filter { !$0.describesContent }

    /// Reads the settings of `set`.
    fileprivate static func list(_ node: ConfigurationNode) throws(ConfigurationError) -> [UploadSetting] {
        let keys = try node.mapping(Name.allCases.map(\.rawValue))
        var settings: [UploadSetting] = []
        for name in Name.allCases {
            guard let node = keys[name.rawValue] else { continue }
            if name.hasEntries {
                for member in keys.value(name.rawValue, { try $0.members() }) ?? [] {
                    let read = node.mistakes.collect(at: member.value) { try setting(name, entry: member.key, $0) }
                    settings += read.map { [$0] } ?? []
                }
            } else if let read = keys.value(name.rawValue, { try setting(name, $0) }) {
                settings.append(read)
            }
        }
        do throws(InvalidUploadSetting) {
            try check(settings)
        } catch {
            throw (keys[error.name.rawValue] ?? node).error(error.reason)
        }
        return settings
    }

    private static func setting(
        _ name: Name, entry: String? = nil, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> UploadSetting {
        let value = name == .tagging && node.isEmptyText ? "" : try node.string()
        do throws(InvalidUploadSetting) {
            return try UploadSetting(name, entry: entry.map { Array($0.utf8) }, value: Array(value.utf8))
        } catch {
            throw node.error(error.reason)
        }
    }
}
