import AccessRules
package import DataFormats
package import Presigning

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
    /// Reads an object of strings: metadata or tags.
    ///
    /// - Throws: `FieldFailure` for another type, and for the first invalid entry.
    package init(_ name: UploadSetting.Name, entries value: JSONValue) throws(FieldFailure) {
        guard case .object(let members) = value else {
            throw FieldFailure(name.rawValue, "must be an object of strings, such as {\"project\": \"alpha\"}")
        }
        self = []
        for member in members {
            guard let text = member.value.string else {
                let entry = String(decoding: member.name.prefix(64), as: UTF8.self)
                throw FieldFailure(name.rawValue, entry: entry, "must be a string")
            }
            append(try UploadSetting(name, entry: member.name, checking: text))
        }
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
