import AccessRules
import ConfigurationReading
import DataFormats
import Presigning
import Text

/// Decodes the fields of a body or a query into `PresignFields`, and collects all errors.
///
/// Unknown fields are rejected, so a typo never falls back to the default.
struct PresignFieldDecoder {
    /// Bounds the response, which lists the failures.
    private static let maximumFailures = 16
    /// Bounds the work of finding the nearest known name.
    private static let maximumSuggestions = 3

    private let source: PresignFieldSource
    private var failures: [FieldFailure] = []

    init(from source: PresignFieldSource) { self.source = source }

    /// Decodes a JSON object. Each field that a source accepts may occur once.
    mutating func add(_ reader: inout JSONReader, to fields: inout PresignFields) throws(SyntaxError) {
        var present = PresentFields()
        try reader.readMembers { reader, name throws(SyntaxError) in
            let index = PresignFieldName.index(of: name)
            if let index, !present.insert(index) { return false }
            add(
                index.map { PresignFieldName.allCases[$0] }, entry: nil, name, try FieldValue(from: &reader),
                to: &fields)
            return true
        }
    }

    /// Decodes a form field, which spells entries as `metadata.NAME` and `tagging.NAME`.
    mutating func add(_ field: Field, to fields: inout PresignFields) {
        let name = field.name[...]
        if let known = PresignFieldName(bytes: name) {
            return add(known, entry: nil, name, .text(field.value), to: &fields)
        }
        let dot = name.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        if dot < name.endIndex, case .setting(let kind)? = PresignFieldName(bytes: name[..<dot]), kind.hasEntries {
            add(.setting(kind), entry: name[(dot + 1)...], name, .text(field.value), to: &fields)
        } else {
            add(nil, entry: nil, name, .text(field.value), to: &fields)
        }
    }

    private mutating func add(
        _ known: PresignFieldName?, entry: ArraySlice<UInt8>?, _ name: ArraySlice<UInt8>, _ value: FieldValue,
        to fields: inout PresignFields
    ) {
        guard failures.count < Self.maximumFailures else { return }
        do throws(FieldFailure) {
            guard let known else { throw unknown(name) }
            guard source.accepts(known) else {
                throw source == .line ? FieldFailure(known.rawValue, "needs the service; omit it") : unknown(name)
            }
            switch known {
            case .plain(let field): try fields.decode(field, value)
            case .override(let override):
                fields.responseOverrides.append((override, try value.string(of: known)))
            case .setting(let kind): fields.settings += try value.settings(of: kind, entry: entry)
            }
        } catch {
            failures.append(error)
        }
    }

    /// Checks that the fields are complete.
    ///
    /// - Throws: `Problem` 400 that names every invalid field.
    func check(_ fields: PresignFields) throws(Problem) {
        var failures = failures
        if source.requiresPath, !fields.hasPath, failures.count < Self.maximumFailures {
            failures.append(FieldFailure("path", "is missing; send the object's path"))
        }
        if !fields.isListing { failures += fields.misplacedListingFields }
        guard failures.isEmpty else { throw .validation(failures) }
    }

    /// The failure for a field that the source does not accept. The first ones suggest the nearest name.
    private func unknown(_ name: ArraySlice<UInt8>) -> FieldFailure {
        let given = String(decoding: name.prefix(64), as: UTF8.self)
        let suggests = failures.count < Self.maximumSuggestions
        let names = suggests ? PresignFieldName.allCases.filter(source.accepts).map(\.rawValue) : []
        let suggestion = Suggestion.text(for: given, among: names)
        return FieldFailure(given, source.unknownField + (suggestion.isEmpty ? source.fieldList : suggestion))
    }
}

extension PresignFields {
    /// Decodes one field.
    fileprivate mutating func decode(_ field: PresignFieldName.Plain, _ value: FieldValue) throws(FieldFailure) {
        let name = PresignFieldName.plain(field)
        switch field {
        case .path, .key, .prefix: try decodePath(field, value)
        case .method: method = try value.method(of: name)
        case .expiresIn: expiresIn = try value.integer(of: name, "a whole number of seconds, such as 3600")
        case .validateObjectExistence: validateObjectExistence = try value.boolean(of: name)
        case .useAccelerateEndpoint: useAccelerateEndpoint = try value.boolean(of: name)
        case .share: share = try value.boolean(of: name)
        case .contentLength: contentLength = try value.integer(of: name, "a whole number of bytes")
        case .maxKeys: maxKeys = try value.integer(of: name, "a whole number from 1 to 1000")
        case .partNumber: partNumber = try value.integer(of: name, "a whole number from 1 to 10000")
        case .store:
            let store = try value.string(of: name)
            guard 1...64 ~= store.unicodeScalars.count else {
                throw FieldFailure(name.rawValue, "must be the name of a store, 1 to 64 characters")
            }
            self.store = store
        case .delimiter: delimiter = try value.string(of: name)
        case .continuationToken: continuationToken = try value.string(of: name)
        case .startAfter: startAfter = try value.string(of: name)
        case .contentType:
            let type = try value.string(of: name)
            guard !type.isEmpty else {
                throw FieldFailure(name.rawValue, "is empty; use a media type such as image/jpeg, or leave it out")
            }
            contentType = type
        case .checksumSHA256: checksumSHA256 = try value.string(of: name)
        case .ifNoneMatch: ifNoneMatch = try value.string(of: name)
        case .uploadId: uploadId = try value.string(of: name)
        case .checksumAlgorithm: checksumAlgorithm = try value.string(of: name)
        case .checksumMode: checksumMode = try value.string(of: name)
        case .versionId: versionId = try value.string(of: name)
        case .form: form = try value.boolean(of: name)
        case .successStatus: successStatus = try value.integer(of: name, "200, 201 or 204")
        case .successRedirect: successRedirect = try value.string(of: name)
        }
    }

    private mutating func decodePath(_ field: PresignFieldName.Plain, _ value: FieldValue) throws(FieldFailure) {
        guard !hasPath else {
            let isListing = field == .prefix || isListing
            throw FieldFailure(
                field.rawValue,
                isListing
                    ? "cannot be combined: send `path` for an object, or `prefix` to list objects"
                    : "is the same field as `\(field == .path ? "key" : "path")`; send only one of them")
        }
        hasPath = true
        isListing = field == .prefix
        path = Array(try value.bytes(of: .plain(field)))
    }

    /// The failures of the fields that only a listing may have.
    fileprivate var misplacedListingFields: [FieldFailure] {
        var names: [PresignFieldName.Plain] = []
        if delimiter != nil { names.append(.delimiter) }
        if maxKeys != nil { names.append(.maxKeys) }
        if continuationToken != nil { names.append(.continuationToken) }
        if startAfter != nil { names.append(.startAfter) }
        return names.map { FieldFailure($0.rawValue, "is allowed only with `prefix`, which lists objects") }
    }
}

/// The value of a field. A JSON value has a type, while the text of a form field can be read as any type.
enum FieldValue {
    case scalar(JSONScalar)
    /// A JSON object: the name of each entry, and its value if that is a string.
    case entries([UploadSettingEntry])
    /// A JSON array, which no field accepts.
    case array
    /// The decoded value of a form field or query parameter, valid UTF-8.
    case text([UInt8])

    /// Reads the next value of a JSON text.
    init(from reader: inout JSONReader) throws(SyntaxError) {
        switch reader.current {
        case UInt8(ascii: "{"):
            var entries: [UploadSettingEntry] = []
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
        default: throw mismatch(name, "true or false")
        }
    }

    func integer(of name: PresignFieldName, _ kind: String) throws(FieldFailure) -> Int64 {
        guard let digits else { throw mismatch(name, kind) }
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

    func method(of name: PresignFieldName) throws(FieldFailure) -> PresignFields.Method {
        let given = try bytes(of: name)
        for method in PresignFields.Method.allCases where method.rawValue.utf8.elementsEqual(given) { return method }
        let text = String(decoding: given.prefix(16), as: UTF8.self)
        throw mismatch(name, "GET, PUT, HEAD, DELETE or POST, in upper case, but is `\(text)`")
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
        case .entries(let entries): return try [UploadSetting](kind, entries: entries)
        case .scalar, .array: return try [UploadSetting](kind, entries: nil)
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
