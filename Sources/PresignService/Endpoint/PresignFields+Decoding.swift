import Bytes
import Presigning

extension PresignFields {
    /// Decodes a body, JSON or form, by one table.
    ///
    /// - Throws: `Problem` 400 that names every member that cannot be accepted.
    package init(decoding reader: consuming some FlatMemberReader) throws(Problem) {
        try collect(reader, of: "body", where: { _ in true }, else: "is no member of a presign request")
    }

    /// Decodes a plain link: its path is the rest of the target's, its method the request's own, and its query says
    /// how long the URL lives, of which store it is, and what the storage is to send in its headers.
    ///
    /// - Parameter path: percent-encoded.
    /// - Throws: `Problem` 400 that names every member that cannot be accepted.
    package init(
        link path: ArraySlice<UInt8>, method: Method, query: ArraySlice<UInt8>?
    ) throws(Problem) {
        guard let path = PercentEncoding.decode(path), (try? UTF8Span(validating: path.span)) != nil else {
            throw .validation([FieldFailure("path", "must be percent-encoded UTF-8")])
        }
        self.path = path
        self.method = method
        try collect(
            FormReader(query ?? []), of: "query",
            where: { $0 == .store || $0 == .expiresIn || $0.responseParameter != nil },
            else: "is no parameter of a link; there are store, expiresIn, and the response overrides")
    }

    private mutating func collect(
        _ reader: consuming some FlatMemberReader, of place: String, where allows: (PresignFieldName) -> Bool,
        else refusal: String
    ) throws(Problem) {
        var failures: [FieldFailure] = []
        do {
            while failures.count < Self.maximumFailures, let member = try reader.next() {
                do throws(FieldFailure) {
                    guard let name = PresignFieldName.named(member.name), allows(name) else {
                        throw FieldFailure(String(decoding: member.name.prefix(64), as: UTF8.self), refusal)
                    }
                    try take(member, as: name)
                } catch {
                    failures.append(error)
                }
            }
        } catch {
            throw .validation([FieldFailure("", "the \(place) is malformed: \(error)")])
        }
        // Of a body that was not read to its end nothing can be said to be missing.
        if path == nil, failures.count < Self.maximumFailures,
            !failures.contains(where: { $0.field == "path" || $0.field == "key" })
        {
            failures.append(FieldFailure("path", "is missing; give the object's path"))
        }
        guard failures.isEmpty else { throw .validation(failures) }
    }

    /// More mistakes than these are not collected: an answer must not outgrow its question.
    private static let maximumFailures = 16

    private mutating func take(_ member: FlatMember, as name: PresignFieldName) throws(FieldFailure) {
        let value = TypedMember(name: name, value: member.value)
        switch name {
        case .path, .key:
            guard path == nil else { throw FieldFailure(name.rawValue, "path and key are one; give only one of them") }
            path = Array(try value.text())
        case .method: method = try value.method()
        case .contentType: contentType = try value.string()
        case .expiresIn: expiresIn = try value.integer("a whole number of seconds")
        case .validateObjectExistence: validateObjectExistence = try value.boolean()
        case .useAccelerateEndpoint: useAccelerateEndpoint = try value.boolean()
        case .store: store = try value.string()
        case .contentLength: contentLength = try value.integer("a whole number of bytes")
        case .checksumSHA256: checksumSHA256 = try value.string()
        case .ifNoneMatch: ifNoneMatch = try value.string()
        case .uploadId: uploadId = try value.string()
        case .partNumber: partNumber = try value.integer("a whole number from 1 to 10000")
        case .responseContentType, .responseContentDisposition, .responseContentLanguage, .responseContentEncoding,
            .responseCacheControl, .responseExpires:
            responseOverrides.append((name.responseParameter ?? name.rawValue, try value.string()))
        }
    }
}

extension PresignFieldName {
    /// The known name with exactly these bytes.
    static func named(_ bytes: ArraySlice<UInt8>) -> PresignFieldName? {
        let wanted = bytes.span
        for index in spelled.indices where spelled[index].bytes.count == wanted.count {
            if wanted.equals(spelled[index].bytes) { return spelled[index].name }
        }
        return nil
    }

    private static let spelled = allCases.map { (name: $0, bytes: Array($0.rawValue.utf8)) }
}

/// A member's value as one of the types a field may have.
private struct TypedMember {
    let name: PresignFieldName
    let value: FlatValue

    func text() throws(FieldFailure) -> ArraySlice<UInt8> {
        guard let text = value.string else { throw mismatch("a string") }
        return text
    }

    func string() throws(FieldFailure) -> String {
        String(decoding: try text(), as: UTF8.self)
    }

    func integer(_ kind: StaticString) throws(FieldFailure) -> Int64 {
        guard let integer = value.integer else { throw mismatch(kind) }
        return integer
    }

    func boolean() throws(FieldFailure) -> Bool {
        guard let boolean = value.boolean else { throw mismatch("true or false") }
        return boolean
    }

    func method() throws(FieldFailure) -> PresignFields.Method {
        let text = try text()
        let spelled = text.span
        for method in PresignFields.Method.allCases where spelled.equals(method.rawValue.utf8.span) { return method }
        throw mismatch("GET, PUT, HEAD, DELETE or POST, in upper case")
    }

    private func mismatch(_ expected: StaticString) -> FieldFailure {
        FieldFailure(name.rawValue, "must be \(expected)" + (value == .null ? "; leave it out for the default" : ""))
    }
}
