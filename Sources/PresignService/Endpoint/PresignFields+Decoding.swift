import Bytes
import Presigning

extension PresignFields {
    /// Decodes a body, JSON or form, by one table.
    ///
    /// - Parameter place: what is decoded, for errors.
    /// - Throws: `Problem` 400 that names every member that cannot be accepted.
    package init(decoding reader: consuming some FlatMemberReader, of place: String = "body") throws(Problem) {
        try collect(reader, of: place, where: { _ in true }, else: "is no member of a presign request")
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
                    guard let name = reader.read(member.name, PresignFieldName.named), allows(name) else {
                        let given = reader.bytes(of: member.name).prefix(64)
                        throw FieldFailure(String(decoding: given, as: UTF8.self), refusal)
                    }
                    try take(NamedValue(name: name, value: member.value), from: reader)
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

    private mutating func take(
        _ member: NamedValue, from reader: borrowing some FlatMemberReader
    ) throws(FieldFailure) {
        switch member.name {
        case .path, .key:
            guard path == nil else {
                throw FieldFailure(member.name.rawValue, "path and key are one; give only one of them")
            }
            path = try reader.bytes(member)
        case .method: method = try reader.method(member)
        case .contentType: contentType = try reader.string(member)
        case .expiresIn: expiresIn = try reader.integer(member, "a whole number of seconds")
        case .validateObjectExistence: validateObjectExistence = try reader.boolean(member)
        case .useAccelerateEndpoint: useAccelerateEndpoint = try reader.boolean(member)
        case .store: store = try reader.string(member)
        case .contentLength: contentLength = try reader.integer(member, "a whole number of bytes")
        case .checksumSHA256: checksumSHA256 = try reader.string(member)
        case .ifNoneMatch: ifNoneMatch = try reader.string(member)
        case .uploadId: uploadId = try reader.string(member)
        case .partNumber: partNumber = try reader.integer(member, "a whole number from 1 to 10000")
        case .responseContentType, .responseContentDisposition, .responseContentLanguage, .responseContentEncoding,
            .responseCacheControl, .responseExpires:
            responseOverrides.append((member.name.responseParameter ?? member.name.rawValue, try reader.string(member)))
        }
    }
}

extension PresignFieldName {
    /// The known name with exactly these bytes.
    static func named(_ wanted: Span<UInt8>) -> PresignFieldName? {
        for index in spelled.indices where spelled[index].bytes.count == wanted.count {
            if wanted.equals(spelled[index].bytes) { return spelled[index].name }
        }
        return nil
    }

    private static let spelled = allCases.map { (name: $0, bytes: Array($0.rawValue.utf8)) }
}

/// A known member and what was given for it.
private struct NamedValue {
    let name: PresignFieldName
    let value: FlatValue

    func mismatch(_ expected: StaticString) -> FieldFailure {
        FieldFailure(name.rawValue, "must be \(expected)" + (value == .null ? "; leave it out for the default" : ""))
    }
}

/// A member's value as one of the types a field may have.
extension FlatMemberReader {
    private func text(_ member: NamedValue) throws(FieldFailure) -> FlatText {
        guard let text = string(member.value) else { throw member.mismatch("a string") }
        return text
    }

    fileprivate func bytes(_ member: NamedValue) throws(FieldFailure) -> [UInt8] {
        bytes(of: try text(member))
    }

    fileprivate func string(_ member: NamedValue) throws(FieldFailure) -> String {
        String(decoding: try bytes(member), as: UTF8.self)
    }

    fileprivate func integer(_ member: NamedValue, _ kind: StaticString) throws(FieldFailure) -> Int64 {
        guard let integer = integer(member.value) else { throw member.mismatch(kind) }
        return integer
    }

    fileprivate func boolean(_ member: NamedValue) throws(FieldFailure) -> Bool {
        guard let boolean = boolean(member.value) else { throw member.mismatch("true or false") }
        return boolean
    }

    fileprivate func method(_ member: NamedValue) throws(FieldFailure) -> PresignFields.Method {
        let method = read(try text(member)) { spelled in
            PresignFields.Method.allCases.first { spelled.equals($0.rawValue.utf8.span) }
        }
        guard let method else { throw member.mismatch("GET, PUT, HEAD, DELETE or POST, in upper case") }
        return method
    }
}
