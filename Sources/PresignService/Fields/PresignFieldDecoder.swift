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
    private var hasPath = false
    /// The fields that only a listing may have.
    private var listingFields: [PresignFieldName] = []
    private var failures: [FieldFailure] = []

    init(from source: PresignFieldSource) { self.source = source }

    /// Decodes one field.
    mutating func add(_ name: ArraySlice<UInt8>, _ value: FieldValue) {
        guard failures.count < Self.maximumFailures else { return }
        do throws(FieldFailure) {
            try decode(GivenField(name, value, from: source, suggests: failures.count < Self.maximumSuggestions))
        } catch {
            failures.append(error)
        }
    }

    /// Checks that the fields are complete.
    ///
    /// - Throws: `Problem` 400 that names every invalid field.
    func finish() throws(Problem) {
        var failures = failures
        if source != .query, !hasPath, failures.count < Self.maximumFailures {
            failures.append(FieldFailure("path", "is missing; send the object's path"))
        }
        if !result.isListing {
            for name in listingFields {
                failures.append(FieldFailure(name.rawValue, "is allowed only with `prefix`, which lists objects"))
            }
        }
        guard failures.isEmpty else { throw .validation(failures) }
    }

    private mutating func decode(_ given: GivenField) throws(FieldFailure) {
        switch given.name {
        case .path, .key, .prefix:
            guard !hasPath else {
                let isListing = given.name == .prefix || result.isListing
                throw given.failure(
                    isListing
                        ? "cannot be combined: send `path` for an object, or `prefix` to list objects"
                        : "is the same field as `\(given.name == .path ? "key" : "path")`; send only one of them")
            }
            hasPath = true
            result.isListing = given.name == .prefix
            result.path = try given.bytes()
        case .method: result.method = try given.method()
        case .expiresIn: result.expiresIn = try given.integer("a whole number of seconds, such as 3600")
        case .validateObjectExistence: result.validateObjectExistence = try given.boolean()
        case .useAccelerateEndpoint: result.useAccelerateEndpoint = try given.boolean()
        case .contentLength: result.contentLength = try given.integer("a whole number of bytes")
        case .maxKeys:
            listingFields.append(.maxKeys)
            result.maxKeys = try given.integer("a whole number from 1 to 1000")
        case .partNumber: result.partNumber = try given.integer("a whole number from 1 to 10000")
        case .store:
            let name = try given.string()
            guard 1...64 ~= name.unicodeScalars.count else {
                throw given.failure("must be the name of a store, 1 to 64 characters")
            }
            result[.store] = name
        case .delimiter, .continuationToken, .startAfter:
            listingFields.append(given.name)
            result[given.name] = try given.string()
        case .contentType, .checksumSHA256, .ifNoneMatch, .uploadId, .responseContentType,
            .responseContentDisposition, .responseContentLanguage, .responseContentEncoding, .responseCacheControl,
            .responseExpires, .checksumAlgorithm, .checksumMode, .versionId:
            result[given.name] = try given.string()
        case .metadata, .cacheControl, .contentDisposition, .contentEncoding, .contentLanguage, .storageClass,
            .tagging, .serverSideEncryption, .kmsKeyId:
            result.settings += try given.settings()
        }
    }
}

/// A known field and its value, readable as the type that the field needs.
private struct GivenField {
    let name: PresignFieldName
    /// The NAME of a form field such as `metadata.NAME`.
    private let entry: [UInt8]?
    private let value: FieldValue

    /// - Throws: `FieldFailure` for a field that the source does not accept; suggests the nearest name if `suggests`.
    init(
        _ name: ArraySlice<UInt8>, _ value: FieldValue, from source: PresignFieldSource, suggests: Bool
    ) throws(FieldFailure) {
        guard let (known, entry) = Self.known(name, value), source.accepts(known) else {
            let given = String(decoding: name.prefix(64), as: UTF8.self)
            let names = suggests ? PresignFieldName.allCases.filter(source.accepts).map(\.rawValue) : []
            let suggestion = Suggestion.text(for: given, among: names)
            throw FieldFailure(given, source.unknownField + (suggestion.isEmpty ? source.fieldList : suggestion))
        }
        (self.name, self.entry, self.value) = (known, entry, value)
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

    func failure(_ detail: String) -> FieldFailure { FieldFailure(name.rawValue, detail) }

    func bytes() throws(FieldFailure) -> [UInt8] {
        guard let bytes = value.string else { throw mismatch("a string") }
        return bytes
    }

    func string() throws(FieldFailure) -> String { String(decoding: try bytes(), as: UTF8.self) }

    func boolean() throws(FieldFailure) -> Bool {
        guard let boolean = value.boolean else { throw mismatch("true or false") }
        return boolean
    }

    func integer(_ kind: String) throws(FieldFailure) -> Int64 {
        if let integer = value.integer { return integer }
        // Some clients, such as HTTPie, send numbers as JSON strings.
        if case .json(.string(let digits)) = value, let number = Int(canonicalDecimal: digits.span) {
            return Int64(number)
        }
        throw isLargeInteger ? failure("is out of range; must be \(kind)") : mismatch(kind)
    }

    func method() throws(FieldFailure) -> PresignFields.Method {
        let given = try bytes()
        guard let method = PresignFields.Method.allCases.first(where: { $0.rawValue.utf8.elementsEqual(given) }) else {
            let text = String(decoding: given.prefix(16), as: UTF8.self)
            throw mismatch("GET, PUT, HEAD, DELETE or POST, in upper case, but is `\(text)`")
        }
        return method
    }

    /// The settings that the field contains: one, or one for each entry.
    func settings() throws(FieldFailure) -> [UploadSetting] {
        guard let kind = UploadSetting.Name(rawValue: name.rawValue) else { return [] }
        guard kind.hasEntries else { return [try .init(kind, checking: try bytes())] }
        if let entry { return [try .init(kind, entry: entry, checking: try bytes())] }
        switch value {
        case .json(let value): return try .init(kind, entries: value)
        case .text: throw failure("must be sent as `\(name.rawValue).NAME=VALUE` in a form")
        }
    }

    private func mismatch(_ expected: String) -> FieldFailure {
        let hasDefault = value == .json(.null) && name != .path && name != .key && name != .prefix
        return failure("must be \(expected)" + (hasDefault ? "; omit it for the default" : ""))
    }

    /// Whether the value is a whole number too large for an `Int64`.
    private var isLargeInteger: Bool {
        let number: [UInt8]
        switch value {
        case .json(.number(let text)), .json(.string(let text)), .text(let text): number = text
        default: return false
        }
        let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number[...]
        return digits.count > 18 && digits.first != UInt8(ascii: "0")
            && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
