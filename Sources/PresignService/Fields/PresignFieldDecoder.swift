import ConfigurationReading
import DataFormats
import Presigning
import Text

/// Decodes the fields of a body or a query into `PresignFields` and collects all errors.
///
/// Unknown fields are rejected, so a typo never falls back to the default.
struct PresignFieldDecoder {
    /// Bounds the response, which lists the failures.
    private static let maximumFailures = 16
    /// Bounds the work of finding the nearest known name.
    private static let maximumSuggestions = 3

    private let source: PresignFieldSource
    /// What was decoded so far.
    private(set) var result = PresignFields()
    /// The fields that only a listing may have.
    private var listingFields: [PresignFieldName] = []
    private var failures: [FieldFailure] = []

    init(from source: PresignFieldSource) { self.source = source }

    /// Decodes one field.
    mutating func add(_ name: ArraySlice<UInt8>, _ value: FieldValue) {
        guard failures.count < Self.maximumFailures else { return }
        do throws(FieldFailure) {
            guard let (known, entry) = Self.known(name, value), source.accepts(known) else { throw unknown(name) }
            try decode(known, entry: entry, value)
        } catch {
            failures.append(error)
        }
    }

    /// Checks that the fields are complete.
    ///
    /// - Throws: `Problem` 400 that names every invalid field.
    func finish() throws(Problem) {
        var failures = failures
        if source.requiresPath, !result.hasPath, failures.count < Self.maximumFailures {
            failures.append(FieldFailure("path", "is missing; send the object's path"))
        }
        if !result.isListing {
            for name in listingFields {
                failures.append(FieldFailure(name.rawValue, "is allowed only with `prefix`, which lists objects"))
            }
        }
        guard failures.isEmpty else { throw .validation(failures) }
    }

    /// Returns a known name; a form spells entries as `metadata.NAME` and `tagging.NAME`.
    private static func known(
        _ name: ArraySlice<UInt8>, _ value: FieldValue
    ) -> (PresignFieldName, entry: [UInt8]?)? {
        if let name = PresignFieldName(bytes: name) { return (name, nil) }
        guard case .text = value, let dot = name.firstIndex(of: UInt8(ascii: ".")),
            let known = PresignFieldName(bytes: name[..<dot]),
            UploadSetting.Name(rawValue: known.rawValue)?.hasEntries ?? false
        else { return nil }
        return (known, Array(name[(dot + 1)...]))
    }

    /// The failure for a field that the source does not accept. The first ones suggest the nearest name.
    private func unknown(_ name: ArraySlice<UInt8>) -> FieldFailure {
        let given = String(decoding: name.prefix(64), as: UTF8.self)
        let suggests = failures.count < Self.maximumSuggestions
        let names = suggests ? PresignFieldName.allCases.filter(source.accepts).map(\.rawValue) : []
        let suggestion = Suggestion.text(for: given, among: names)
        return FieldFailure(given, source.unknownField + (suggestion.isEmpty ? source.fieldList : suggestion))
    }

    /// - Parameter entry: the NAME of a form field such as `metadata.NAME`.
    private mutating func decode(_ name: PresignFieldName, entry: [UInt8]?, _ value: FieldValue) throws(FieldFailure) {
        switch name {
        case .path, .key, .prefix:
            guard !result.hasPath else {
                let isListing = name == .prefix || result.isListing
                throw FieldFailure(
                    name.rawValue,
                    isListing
                        ? "cannot be combined: send `path` for an object, or `prefix` to list objects"
                        : "is the same field as `\(name == .path ? "key" : "path")`; send only one of them")
            }
            result.hasPath = true
            result.isListing = name == .prefix
            result.path = try value.bytes(of: name)
        case .method: result.method = try value.method(of: name)
        case .expiresIn: result.expiresIn = try value.integer(of: name, "a whole number of seconds, such as 3600")
        case .validateObjectExistence: result.validateObjectExistence = try value.boolean(of: name)
        case .useAccelerateEndpoint: result.useAccelerateEndpoint = try value.boolean(of: name)
        case .contentLength: result.contentLength = try value.integer(of: name, "a whole number of bytes")
        case .maxKeys:
            listingFields.append(.maxKeys)
            result.maxKeys = try value.integer(of: name, "a whole number from 1 to 1000")
        case .partNumber: result.partNumber = try value.integer(of: name, "a whole number from 1 to 10000")
        case .store:
            let store = try value.string(of: name)
            guard 1...64 ~= store.unicodeScalars.count else {
                throw FieldFailure(name.rawValue, "must be the name of a store, 1 to 64 characters")
            }
            result[.store] = store
        case .delimiter, .continuationToken, .startAfter:
            listingFields.append(name)
            result[name] = try value.string(of: name)
        case .contentType, .checksumSHA256, .ifNoneMatch, .uploadId, .responseContentType,
            .responseContentDisposition, .responseContentLanguage, .responseContentEncoding, .responseCacheControl,
            .responseExpires, .checksumAlgorithm, .checksumMode, .versionId:
            result[name] = try value.string(of: name)
        case .metadata, .cacheControl, .contentDisposition, .contentEncoding, .contentLanguage, .storageClass,
            .tagging, .serverSideEncryption, .kmsKeyId:
            result.settings += try value.settings(of: name, entry: entry)
        }
    }
}

/// The value of a known field, readable as the type that the field needs.
extension FieldValue {
    fileprivate func bytes(of name: PresignFieldName) throws(FieldFailure) -> [UInt8] {
        guard let bytes = string else { throw mismatch(name, "a string") }
        return bytes
    }

    fileprivate func string(of name: PresignFieldName) throws(FieldFailure) -> String {
        String(decoding: try bytes(of: name), as: UTF8.self)
    }

    fileprivate func boolean(of name: PresignFieldName) throws(FieldFailure) -> Bool {
        guard let boolean else { throw mismatch(name, "true or false") }
        return boolean
    }

    fileprivate func integer(of name: PresignFieldName, _ kind: String) throws(FieldFailure) -> Int64 {
        if let integer { return integer }
        // Some clients, such as HTTPie, send numbers as JSON strings.
        if case .json(.string(let digits)) = self, let number = Int(canonicalDecimal: digits.span) {
            return Int64(number)
        }
        throw isLargeInteger ? FieldFailure(name.rawValue, "is out of range; must be \(kind)") : mismatch(name, kind)
    }

    fileprivate func method(of name: PresignFieldName) throws(FieldFailure) -> PresignFields.Method {
        let given = try bytes(of: name)
        guard let method = PresignFields.Method.allCases.first(where: { $0.rawValue.utf8.elementsEqual(given) }) else {
            let text = String(decoding: given.prefix(16), as: UTF8.self)
            throw mismatch(name, "GET, PUT, HEAD, DELETE or POST, in upper case, but is `\(text)`")
        }
        return method
    }

    /// The settings that the field contains: one, or one for each entry.
    fileprivate func settings(of name: PresignFieldName, entry: [UInt8]?) throws(FieldFailure) -> [UploadSetting] {
        guard let kind = UploadSetting.Name(rawValue: name.rawValue) else { return [] }
        guard kind.hasEntries else { return [try .init(kind, checking: try bytes(of: name))] }
        if let entry { return [try .init(kind, entry: entry, checking: try bytes(of: name))] }
        switch self {
        case .json(let value): return try .init(kind, entries: value)
        case .text: throw FieldFailure(name.rawValue, "must be sent as `\(name.rawValue).NAME=VALUE` in a form")
        }
    }

    private func mismatch(_ name: PresignFieldName, _ expected: String) -> FieldFailure {
        let hasDefault = self == .json(.null) && name != .path && name != .key && name != .prefix
        return FieldFailure(name.rawValue, "must be \(expected)" + (hasDefault ? "; omit it for the default" : ""))
    }

    /// Whether the value is a whole number too large for an `Int64`.
    private var isLargeInteger: Bool {
        let number: [UInt8]
        switch self {
        case .json(.number(let text)), .json(.string(let text)), .text(let text): number = text
        default: return false
        }
        let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number[...]
        return digits.count > 18 && digits.first != UInt8(ascii: "0")
            && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
