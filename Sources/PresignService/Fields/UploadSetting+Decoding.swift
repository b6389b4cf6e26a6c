import AccessRules
package import DataFormats
package import Presigning

/// The name of a metadata entry or tag, and its value if that is a string.
package typealias UploadSettingEntry = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)

extension UploadSetting {
    /// - Throws: `FieldFailure` for an invalid setting.
    package init(_ name: Name, entry: [UInt8]? = nil, checking value: [UInt8]) throws(FieldFailure) {
        do throws(InvalidUploadSetting) {
            try self.init(name, entry: entry, value: value)
        } catch {
            throw FieldFailure(error)
        }
    }
}

extension [UploadSetting] {
    /// Creates metadata or tags from the entries of a JSON object.
    ///
    /// - Parameter entries: nil for another type of value.
    /// - Throws: `FieldFailure` for another type, and for the first invalid entry.
    package init(_ name: UploadSetting.Name, entries: [UploadSettingEntry]?) throws(FieldFailure) {
        guard let entries else {
            throw FieldFailure(name.rawValue, "must be an object of strings, such as {\"project\": \"alpha\"}")
        }
        self = []
        reserveCapacity(entries.count)
        for entry in entries {
            guard let value = entry.value else {
                let entry = String(decoding: entry.name.prefix(64), as: UTF8.self)
                throw FieldFailure(name.rawValue, entry: entry, "must be a string")
            }
            append(try UploadSetting(name, entry: [UInt8](entry.name), checking: [UInt8](value)))
        }
    }
}

extension JSONValue {
    /// The entries of an object of upload settings; nil for another type of value.
    package var settingEntries: [UploadSettingEntry]? {
        guard case .object(let members) = self else { return nil }
        return members.map { ($0.name[...], $0.value.string?[...]) }
    }
}

extension FieldFailure {
    init(_ flaw: InvalidUploadSetting) { self.init(flaw.name.rawValue, entry: Self.text(flaw.entry), flaw.reason) }

    /// A limit of the rules that a request does not meet.
    init(_ constraint: UnmetConstraint) {
        self.init(constraint.requestField, entry: Self.text(constraint.entry), constraint.description)
    }

    /// An entry's name, shortened because the client chose it.
    private static func text(_ entry: [UInt8]?) -> String? {
        entry.map { String(decoding: $0.prefix(128), as: UTF8.self) }
    }
}
