package import DataFormats
import Presigning
import Text

extension PresignFields {
    /// Decodes a body, JSON or form, by one table.
    ///
    /// - Parameters:
    ///   - text: the whole body.
    ///   - reader: a new one.
    ///   - place: what is decoded, for errors.
    ///   - memory: what to keep the path in; what stands there is dropped.
    /// - Throws: `Problem` 400 that names every member that cannot be accepted.
    package init(
        decoding text: Span<UInt8>, with reader: inout some FlatMemberReader & ~Copyable,
        of place: StaticString = "body", in memory: consuming [UInt8] = []
    ) throws(Problem) {
        path = consume memory
        // What an earlier request has left there must not be taken for this one's.
        path.removeAll(keepingCapacity: true)
        try collect(text, &reader, of: place, where: { _ in true }, else: "is no member of a presign request")
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
        hasPath = true
        self.method = method
        let query = query ?? []
        var reader = FormReader()
        try collect(
            query.span, &reader, of: "query",
            where: { $0 == .store || $0 == .expiresIn || $0.responseParameter != nil },
            else: "is no parameter of a link; there are store, expiresIn, and the response overrides")
    }

    private mutating func collect(
        _ text: Span<UInt8>, _ reader: inout some FlatMemberReader & ~Copyable, of place: StaticString,
        where allows: (PresignFieldName) -> Bool, else refusal: StaticString
    ) throws(Problem) {
        var failures: [FieldFailure] = []
        var seen = SeenNames()
        do {
            while failures.count < Self.maximumFailures, let member = try reader.next(in: text, &seen) {
                do throws(FieldFailure) {
                    guard let name = reader.read(member.name, in: text, PresignFieldName.named), allows(name) else {
                        let given = String(
                            decoding: reader.bytes(of: member.name, in: text).prefix(64), as: UTF8.self)
                        let meant = PresignFieldName.meant(by: given).flatMap { allows($0) ? $0 : nil }
                        throw FieldFailure(
                            given, refusal.description + (meant.map { "; write \($0.rawValue)" } ?? ""))
                    }
                    try take(NamedValue(name: name, value: member.value), from: &reader, text)
                } catch {
                    failures.append(error)
                }
            }
        } catch {
            let twice = PresignFieldName.repeated(by: error, in: text)
            let reason = twice.map { "\"\($0.rawValue)\" stands twice, at byte \(error.offset)" } ?? "\(error)"
            throw .validation([FieldFailure("", "the \(place) is malformed: \(reason)")])
        }
        // Of a body that was not read to its end nothing can be said to be missing.
        if !hasPath, failures.count < Self.maximumFailures,
            !failures.contains(where: { $0.field == "path" || $0.field == "key" })
        {
            failures.append(FieldFailure("path", "is missing; give the object's path"))
        }
        guard failures.isEmpty else { throw .validation(failures) }
    }

    /// More mistakes than these are not collected: an answer must not outgrow its question.
    private static let maximumFailures = 16

    private mutating func take(
        _ member: NamedValue, from reader: inout some FlatMemberReader & ~Copyable, _ text: Span<UInt8>
    ) throws(FieldFailure) {
        switch member.name {
        case .path, .key:
            guard !hasPath else {
                throw FieldFailure(member.name.rawValue, "path and key are one; give only one of them")
            }
            let found = try member.string()
            reader.read(found, in: text) { path.append($0) }
            hasPath = true
        case .method: method = try reader.method(member, text)
        case .expiresIn: expiresIn = try reader.integer(member, text, "a whole number of seconds")
        case .validateObjectExistence: validateObjectExistence = try reader.boolean(member, text)
        case .useAccelerateEndpoint: useAccelerateEndpoint = try reader.boolean(member, text)
        case .contentLength: contentLength = try reader.integer(member, text, "a whole number of bytes")
        case .partNumber: partNumber = try reader.integer(member, text, "a whole number from 1 to 10000")
        case .store:
            let name = try reader.string(member, text)
            guard 1...64 ~= name.unicodeScalars.count else {
                throw FieldFailure(member.name.rawValue, "must be the name of a store, 1 to 64 characters")
            }
            self[.store] = name
        case .contentType, .checksumSHA256, .ifNoneMatch, .uploadId, .responseContentType,
            .responseContentDisposition, .responseContentLanguage, .responseContentEncoding, .responseCacheControl,
            .responseExpires:
            self[member.name] = try reader.string(member, text)
        }
    }
}

extension PresignFieldName {
    /// The known name with exactly these bytes. The short ones are told apart by their lengths first, the long ones are
    /// rare.
    package static func named(_ name: Span<UInt8>) -> PresignFieldName? {
        switch name.count {
        case 3: name.equals("key") ? .key : nil
        case 4: name.equals("path") ? .path : nil
        case 5: name.equals("store") ? .store : nil
        case 6: name.equals("method") ? .method : nil
        case 8: name.equals("uploadId") ? .uploadId : nil
        case 9: name.equals("expiresIn") ? .expiresIn : nil
        case 10: name.equals("partNumber") ? .partNumber : nil
        case 11: name.equals("contentType") ? .contentType : name.equals("ifNoneMatch") ? .ifNoneMatch : nil
        default: allCases.first { name.equals($0.rawValue.utf8.span) }
        }
    }

    /// The known name that differs from an unknown one by case only.
    fileprivate static func meant(by given: String) -> PresignFieldName? {
        allCases.first {
            $0.rawValue.utf8.count == given.utf8.count && $0.rawValue.lowercased() == given.lowercased()
        }
    }

    /// The name that stands where a reader found that a name stands twice, if it is a known one without escapes.
    fileprivate static func repeated(by error: SyntaxError, in text: Span<UInt8>) -> PresignFieldName? {
        guard error.reason.hasPrefix("a name stands twice"), error.offset < text.count else { return nil }
        let isQuoted = text[error.offset] == UInt8(ascii: "\"")
        let rest = text.extracting((error.offset + (isQuoted ? 1 : 0))...)
        let end = rest.position(of: UInt8(ascii: isQuoted ? "\"" : "="), from: 0)
        return named(rest.extracting(..<end))
    }
}

extension PresignFields.Method {
    /// The method with exactly this name.
    fileprivate static func named(_ name: Span<UInt8>) -> Self? {
        if name.equals("GET") { return .get }
        if name.equals("PUT") { return .put }
        if name.equals("HEAD") { return .head }
        if name.equals("POST") { return .post }
        return name.equals("DELETE") ? .delete : nil
    }
}

/// A known member and what was given for it.
private struct NamedValue {
    let name: PresignFieldName
    let value: FlatValue

    func string() throws(FieldFailure) -> FlatText {
        guard let string = value.string else { throw mismatch("a string") }
        return string
    }

    func mismatch(_ expected: StaticString) -> FieldFailure {
        let hasDefault = value == .null && name != .path && name != .key
        return FieldFailure(name.rawValue, "must be \(expected)" + (hasDefault ? "; leave it out for the default" : ""))
    }
}

/// A member's value as one of the types a field may have.
extension FlatMemberReader where Self: ~Copyable {
    fileprivate func string(_ member: NamedValue, _ text: Span<UInt8>) throws(FieldFailure) -> String {
        String(decoding: bytes(of: try member.string(), in: text), as: UTF8.self)
    }

    fileprivate func integer(
        _ member: NamedValue, _ text: Span<UInt8>, _ kind: StaticString
    ) throws(FieldFailure) -> Int64 {
        if let integer = integer(member.value, in: text) { return integer }
        throw isLarge(member.value, in: text)
            ? FieldFailure(member.name.rawValue, "is out of range") : member.mismatch(kind)
    }

    /// Whether the value is a whole number, of more digits than an integer has.
    private func isLarge(_ value: FlatValue, in text: Span<UInt8>) -> Bool {
        switch value {
        case .number(let found), .text(let found):
            let number = bytes(of: found, in: text)
            let digits = number.first == UInt8(ascii: "-") ? number.dropFirst() : number[...]
            return digits.count > 18 && digits.first != UInt8(ascii: "0")
                && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        default: return false
        }
    }

    fileprivate func boolean(_ member: NamedValue, _ text: Span<UInt8>) throws(FieldFailure) -> Bool {
        guard let boolean = boolean(member.value, in: text) else { throw member.mismatch("true or false") }
        return boolean
    }

    fileprivate func method(
        _ member: NamedValue, _ text: Span<UInt8>
    ) throws(FieldFailure) -> PresignFields.Method {
        guard let method = read(try member.string(), in: text, PresignFields.Method.named) else {
            throw member.mismatch("GET, PUT, HEAD, DELETE or POST, in upper case")
        }
        return method
    }
}
