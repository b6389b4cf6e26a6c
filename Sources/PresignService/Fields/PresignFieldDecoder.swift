import AccessRules
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
    private var failures: [FieldFailure] = []

    init(from source: PresignFieldSource) { self.source = source }

    /// Decodes a JSON object. Each field that a source accepts may occur once.
    mutating func add(_ reader: inout JSONReader) throws(SyntaxError) {
        var present = PresentFields()
        try reader.readMembers { reader, name throws(SyntaxError) in
            let index = PresignFieldName.index(of: name)
            if let index, !present.insert(index) { return false }
            add(index.map { PresignFieldName.allCases[$0] }, entry: nil, name, try FieldValue(from: &reader))
            return true
        }
    }

    /// Decodes a form field, which spells entries as `metadata.NAME` and `tagging.NAME`.
    mutating func add(_ field: Field) {
        let name = field.name[...]
        if let known = PresignFieldName(bytes: name) { return add(known, entry: nil, name, .text(field.value)) }
        let dot = name.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        if dot < name.endIndex, case .setting(let kind)? = PresignFieldName(bytes: name[..<dot]), kind.hasEntries {
            add(.setting(kind), entry: name[(dot + 1)...], name, .text(field.value))
        } else {
            add(nil, entry: nil, name, .text(field.value))
        }
    }

    private mutating func add(
        _ known: PresignFieldName?, entry: ArraySlice<UInt8>?, _ name: ArraySlice<UInt8>, _ value: FieldValue
    ) {
        guard failures.count < Self.maximumFailures else { return }
        do throws(FieldFailure) {
            guard let known, source.accepts(known) else { throw unknown(name) }
            switch known {
            case .plain(let field): try decode(field, value)
            case .override(let override):
                result.responseOverrides.append((override, try value.string(of: known)))
            case .setting(let kind): result.settings += try value.settings(of: kind, entry: entry)
            }
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
        if !result.isListing { failures += result.misplacedListingFields }
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

    private mutating func decode(_ field: PresignFieldName.Plain, _ value: FieldValue) throws(FieldFailure) {
        let name = PresignFieldName.plain(field)
        switch field {
        case .path, .key, .prefix: try decodePath(field, value)
        case .method: result.method = try value.method(of: name)
        case .expiresIn: result.expiresIn = try value.integer(of: name, "a whole number of seconds, such as 3600")
        case .validateObjectExistence: result.validateObjectExistence = try value.boolean(of: name)
        case .useAccelerateEndpoint: result.useAccelerateEndpoint = try value.boolean(of: name)
        case .contentLength: result.contentLength = try value.integer(of: name, "a whole number of bytes")
        case .maxKeys: result.maxKeys = try value.integer(of: name, "a whole number from 1 to 1000")
        case .partNumber: result.partNumber = try value.integer(of: name, "a whole number from 1 to 10000")
        case .store:
            let store = try value.string(of: name)
            guard 1...64 ~= store.unicodeScalars.count else {
                throw FieldFailure(name.rawValue, "must be the name of a store, 1 to 64 characters")
            }
            result.store = store
        case .delimiter: result.delimiter = try value.string(of: name)
        case .continuationToken: result.continuationToken = try value.string(of: name)
        case .startAfter: result.startAfter = try value.string(of: name)
        case .contentType: result.contentType = try value.string(of: name)
        case .checksumSHA256: result.checksumSHA256 = try value.string(of: name)
        case .ifNoneMatch: result.ifNoneMatch = try value.string(of: name)
        case .uploadId: result.uploadId = try value.string(of: name)
        case .checksumAlgorithm: result.checksumAlgorithm = try value.string(of: name)
        case .checksumMode: result.checksumMode = try value.string(of: name)
        case .versionId: result.versionId = try value.string(of: name)
        }
    }

    private mutating func decodePath(_ field: PresignFieldName.Plain, _ value: FieldValue) throws(FieldFailure) {
        guard !result.hasPath else {
            let isListing = field == .prefix || result.isListing
            throw FieldFailure(
                field.rawValue,
                isListing
                    ? "cannot be combined: send `path` for an object, or `prefix` to list objects"
                    : "is the same field as `\(field == .path ? "key" : "path")`; send only one of them")
        }
        result.hasPath = true
        result.isListing = field == .prefix
        result.path = Array(try value.bytes(of: .plain(field)))
    }
}

extension PresignFields {
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
