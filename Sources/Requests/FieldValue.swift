import DataFormats
package import Presigning
import Text

/// The value of a field. A JSON value has a type, while the text of a form field can be read as any type.
enum FieldValue {
    case scalar(JSONScalar)
    /// A JSON object: the name of each entry, and its value if that is a string.
    case entries([Entry])
    /// A JSON array, which no field accepts.
    case array
    /// The decoded value of a form field or query parameter, valid UTF-8.
    case text([UInt8])

    /// The name of a metadata entry or tag, and its value if that is a string.
    typealias Entry = (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?)

    /// Creates the value of a JSON member.
    init(_ value: JSONValue) {
        switch value {
        case .string(let text): self = .scalar(.string(text[...]))
        case .number(let text): self = .scalar(.number(text[...]))
        case .boolean(let isTrue): self = .scalar(.boolean(isTrue))
        case .null: self = .scalar(.null)
        case .array: self = .array
        case .object(let members): self = .entries(members.map { ($0.name[...], $0.value.string?[...]) })
        }
    }

    /// Reads the next value of a JSON text.
    init(from reader: inout JSONReader) throws(SyntaxError) {
        switch reader.current {
        case UInt8(ascii: "{"):
            var entries: [Entry] = []
            try reader.readObject { reader, name throws(SyntaxError) in
                if case .scalar(.string(let text)) = try FieldValue(from: &reader) {
                    entries.append((name, text))
                } else {
                    entries.append((name, nil))
                }
            }
            self = .entries(entries)
        case UInt8(ascii: "["):
            _ = try reader.value()
            self = .array
        default: self = .scalar(try reader.scalar())
        }
    }
}

/// The value as the type that a field needs.
extension FieldValue {
    func bytes(of name: PresignFieldName) throws(FieldFailure) -> ArraySlice<UInt8> {
        switch self {
        case .scalar(.string(let bytes)): return bytes
        case .text(let bytes): return bytes[...]
        default: throw mismatch(name, "a string")
        }
    }

    func string(of name: PresignFieldName) throws(FieldFailure) -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    func boolean(of name: PresignFieldName) throws(FieldFailure) -> Bool {
        switch self {
        case .scalar(.boolean(let value)): return value
        case .text(let text) where text.span.equals("true"): return true
        case .text(let text) where text.span.equals("false"): return false
        case .scalar(.string): throw mismatch(name, "true or false, without quotation marks")
        default: throw mismatch(name, "true or false")
        }
    }

    func integer(of name: PresignFieldName, _ kind: String) throws(FieldFailure) -> Int64 {
        guard let digits else { throw mismatch(name, kind) }
        if case .scalar(.number) = self, let number = Int64(json: digits) { return number }
        if let number = Int(canonicalDecimal: digits.span) { return Int64(number) }
        let isLarge = Self.isLargeInteger(digits)
        throw isLarge ? FieldFailure(name.rawValue, "is out of range; must be \(kind)") : mismatch(name, kind)
    }

    /// The text of a number. Some clients, such as HTTPie, send numbers as JSON strings.
    private var digits: ArraySlice<UInt8>? {
        switch self {
        case .scalar(.number(let text)), .scalar(.string(let text)): text
        case .text(let text): text[...]
        case .scalar, .entries, .array: nil
        }
    }

    func method(of name: PresignFieldName) throws(FieldFailure) -> PresignRequest.Method {
        let given = try bytes(of: name)
        for method in PresignRequest.Method.allCases where method.rawValue.utf8.elementsEqual(given) { return method }
        let text = String(decoding: given, as: UTF8.self).quoted
        throw mismatch(name, "GET, PUT, HEAD, DELETE or POST, in upper case, but is \(text)")
    }

    /// The settings that the field contains: one, or one for each entry.
    ///
    /// - Parameter entry: the NAME of a form field such as `metadata.NAME`.
    func settings(
        of kind: UploadSetting.Name, entry: ArraySlice<UInt8>?
    ) throws(FieldFailure) -> [UploadSetting] {
        let name = PresignFieldName.setting(kind)
        guard kind.hasEntries else { return [try UploadSetting(kind, checking: Array(try bytes(of: name)))] }
        if let entry { return [try UploadSetting(kind, entry: Array(entry), checking: Array(try bytes(of: name)))] }
        switch self {
        case .entries(let entries):
            var settings: [UploadSetting] = []
            for (entry, value) in entries {
                guard let value else {
                    let entry = String(decoding: entry.prefix(64), as: UTF8.self)
                    throw FieldFailure(kind.rawValue, entry: entry, "must be a string")
                }
                settings.append(try UploadSetting(kind, entry: [UInt8](entry), checking: [UInt8](value)))
            }
            return settings
        case .scalar, .array:
            throw FieldFailure(kind.rawValue, "must be an object of strings, such as {\"project\": \"alpha\"}")
        case .text: throw FieldFailure(kind.rawValue, "must be sent as `\(kind.rawValue).NAME=VALUE` in a form")
        }
    }

    private func mismatch(_ name: PresignFieldName, _ expected: String) -> FieldFailure {
        var hint = ""
        if case .scalar(.null) = self, name != .plain(.path), name != .plain(.key), name != .plain(.prefix) {
            hint = "; omit it for the default"
        }
        return FieldFailure(name.rawValue, "must be \(expected)" + hint)
    }

    /// Whether a text is a whole number too large for an `Int64`.
    private static func isLargeInteger(_ number: ArraySlice<UInt8>) -> Bool {
        let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number
        return digits.count > 18 && digits.first != UInt8(ascii: "0") && digits.allSatisfy(ASCII.isDigit)
    }
}

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
