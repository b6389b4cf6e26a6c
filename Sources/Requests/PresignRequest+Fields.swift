package import DataFormats
import Presigning

/// Decodes the fields of a body or a query and collects all errors. Unknown fields are rejected, so a typo never falls
/// back to the default.
extension PresignRequest {
    /// Bounds the response, which lists the failures.
    private static let maximumFailures = 16
    /// Bounds the work of finding the nearest known name.
    private static let maximumSuggestions = 3

    /// Decodes a JSON object. Each field that a source accepts may occur once.
    mutating func add(
        _ reader: inout JSONReader, from source: PresignFieldSource, _ failures: inout [FieldFailure]
    ) throws(SyntaxError) {
        try reader.readMembers { reader, name throws(SyntaxError) in
            let index = PresignFieldName.index(of: name)
            if let index, !sent.insert(index) { return false }
            add(index, entry: nil, name, try FieldValue(from: &reader), from: source, &failures)
            return true
        }
    }

    /// Decodes a form field, which spells entries as `metadata.NAME` and `tagging.NAME`.
    mutating func add(_ field: Field, from source: PresignFieldSource, _ failures: inout [FieldFailure]) {
        let name = field.name[...]
        var (index, entry) = (PresignFieldName.index(of: name), ArraySlice<UInt8>?.none)
        let dot = name.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        if index == nil, dot < name.endIndex, let kind = PresignFieldName.index(of: name[..<dot]),
            PresignFieldName.allCases[kind].hasEntries
        {
            (index, entry) = (kind, name[(dot + 1)...])
        }
        if let index { _ = sent.insert(index) }
        add(index, entry: entry, name, .text(field.value), from: source, &failures)
    }

    private mutating func add(
        _ index: Int?, entry: ArraySlice<UInt8>?, _ name: ArraySlice<UInt8>, _ value: FieldValue,
        from source: PresignFieldSource, _ failures: inout [FieldFailure]
    ) {
        guard failures.count < Self.maximumFailures else { return }
        let known = index.map { PresignFieldName.allCases[$0] }
        do throws(FieldFailure) {
            guard let known, source.accepts(known) else {
                throw source.refusal(of: known, name, suggests: failures.count < Self.maximumSuggestions)
            }
            try set(known, entry: entry, to: value)
        } catch {
            failures.append(error)
        }
    }

    private mutating func set(
        _ name: PresignFieldName, entry: ArraySlice<UInt8>? = nil, to value: FieldValue
    ) throws(FieldFailure) {
        switch name {
        case .plain(let field): try decode(field, value)
        case .override(let override): responseOverrides.append((override, Array(try value.bytes(of: name))))
        case .setting(let kind): settings += try value.settings(of: kind, entry: entry)
        }
    }

    /// Sets the field with this name, as in the body of `POST /presign`; does nothing for an unknown name.
    ///
    /// - Throws: `FieldFailure` for an invalid value.
    package mutating func set(_ name: [UInt8], to value: JSONValue) throws(FieldFailure) {
        guard let index = PresignFieldName.index(of: name[...]) else { return }
        try set(PresignFieldName.allCases[index], to: FieldValue(value))
    }

    /// Checks that the fields are complete.
    ///
    /// - Throws: `InvalidRequest` with every invalid field.
    func checkDecoded(
        from source: PresignFieldSource, _ decoding: [FieldFailure]
    ) throws(InvalidRequest) {
        var failures = decoding
        if source.requiresPath, !hasPath, failures.count < Self.maximumFailures {
            failures.append(FieldFailure("path", "is missing; send the object's path"))
        }
        if hasRareFields, !hasPrefix { failures += misplacedListingFields }
        guard failures.isEmpty else { throw InvalidRequest(failures) }
    }
}

extension PresignRequest {
    /// Decodes one field.
    private mutating func decode(_ field: PresignFieldName.Plain, _ value: FieldValue) throws(FieldFailure) {
        let name = PresignFieldName.plain(field)
        switch field {
        case .path, .key, .prefix: try decodePath(field, value)
        case .method: method = try value.method(of: name)
        case .expiresIn: expiresIn = try value.integer(of: name, "a whole number of seconds, such as 3600")
        case .validateObjectExistence: validateObjectExistence = try value.boolean(of: name)
        case .useAccelerateEndpoint: useAccelerateEndpoint = try value.boolean(of: name)
        case .share: share = try value.boolean(of: name) ? .creation(ShareTerms()) : nil
        case .contentLength: contentLength = try value.integer(of: name, "a whole number of bytes")
        case .maxKeys: self.maxKeys = try value.integer(of: name, "a whole number from 1 to 1000")
        case .partNumber: self.partNumber = try value.integer(of: name, "a whole number from 1 to 10000")
        case .store:
            let store = try value.string(of: name)
            guard 1...64 ~= store.unicodeScalars.count else {
                let mistake = store.isEmpty ? "is empty" : "is too long"
                throw FieldFailure(name.rawValue, mistake + "; send the name of a store, 1 to 64 characters")
            }
            self.store = store
        case .delimiter: self.delimiter = try value.string(of: name)
        case .continuationToken: self.continuationToken = try value.string(of: name)
        case .startAfter: self.startAfter = try value.string(of: name)
        case .contentType:
            let type = try value.string(of: name)
            guard !type.isEmpty else {
                throw FieldFailure(name.rawValue, "is empty; use a media type such as image/jpeg, or leave it out")
            }
            contentType = type
        case .checksumSHA256: checksumSHA256 = try value.string(of: name)
        case .ifNoneMatch: ifNoneMatch = try value.string(of: name)
        case .uploadId: self.uploadId = try value.string(of: name)
        case .checksumAlgorithm: self.checksumAlgorithm = try value.string(of: name)
        case .checksumMode: self.checksumMode = try value.string(of: name)
        case .versionId: self.versionId = try value.string(of: name)
        case .form: self.form = try value.boolean(of: name)
        case .successStatus: self.successStatus = try value.integer(of: name, "200, 201 or 204")
        case .successRedirect: self.successRedirect = try value.string(of: name)
        }
    }

    private mutating func decodePath(_ field: PresignFieldName.Plain, _ value: FieldValue) throws(FieldFailure) {
        guard !hasPath else {
            let isListing = field == .prefix || hasPrefix
            throw FieldFailure(
                field.rawValue,
                isListing
                    ? "cannot be combined: send `path` for an object, or `prefix` to list objects"
                    : "is the same field as `\(field == .path ? "key" : "path")`; send only one of them")
        }
        hasPath = true
        hasPrefix = field == .prefix
        path = Array(try value.bytes(of: .plain(field)))
    }

    /// The failures of the fields that only a listing may have.
    private var misplacedListingFields: [FieldFailure] {
        var names: [PresignFieldName.Plain] = []
        if self.delimiter != nil { names.append(.delimiter) }
        if self.maxKeys != nil { names.append(.maxKeys) }
        if self.continuationToken != nil { names.append(.continuationToken) }
        if self.startAfter != nil { names.append(.startAfter) }
        return names.map { FieldFailure($0.rawValue, "is allowed only with `prefix`, which lists objects") }
    }
}
