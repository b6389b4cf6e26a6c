import DataFormats
import Presigning

/// The members of a line, or of its `credentials`.
///
/// Unknown fields are rejected, so a typo never changes what is signed.
struct VectorMembers {
    /// The names of a line's fields.
    static let line = [
        "id", "date", "credentials", "region", "bucket", "endpoint", "signedEndpoint", "addressing", "accelerate",
        "dualstack", "fips", "usEast1Endpoint", "operation", "method", "key", "path", "prefix", "contentType",
        "expiresIn", "uploadId",
        "partNumber", "extra",
    ]
    private static let credentials = ["accessKeyId", "secretAccessKey", "sessionToken", "expiration"]

    private let value: JSONValue

    /// Checks the names of a line's fields.
    ///
    /// - Throws: `MemberFailure` for an unknown field, or if the value is not an object.
    init(line value: JSONValue) throws(MemberFailure) {
        guard case .object(let members) = value else { throw MemberFailure("", "the line must be a JSON object") }
        for member in members {
            let name = String(decoding: member.name, as: UTF8.self)
            if !Self.line.contains(name) { throw Self.unknownLineMember(name) }
        }
        self.value = value
    }

    private init(credentials value: JSONValue) throws(MemberFailure) {
        guard case .object(let members) = value else { throw MemberFailure("credentials", "must be an object") }
        for member in members {
            let name = String(decoding: member.name, as: UTF8.self)
            guard Self.credentials.contains(name) else {
                throw MemberFailure(
                    "credentials.\(name)", "unknown field" + Suggestion.text(for: name, among: Self.credentials))
            }
        }
        self.value = value
    }

    /// Suggests the nearest field, or the same parameter under `extra`, where S3's names start with a capital letter.
    private static func unknownLineMember(_ name: String) -> MemberFailure {
        if let meant = Suggestion.nearest(to: name, among: line) {
            return MemberFailure(name, "unknown field" + Suggestion.text(meant))
        }
        let parameter = name.prefix(1).uppercased() + name.dropFirst()
        let example = S3Parameters.names.contains(parameter) ? parameter : "ContentDisposition"
        return MemberFailure(
            name, #"unknown field; set parameters of S3 under `extra`, such as "extra": {"\#(example)": ...}"#)
    }

    /// The field; nil if it is absent or null.
    subscript(name: String) -> JSONValue? {
        value[name].flatMap { $0 == .null ? nil : $0 }
    }

    func bytes(_ name: String) throws(MemberFailure) -> [UInt8]? {
        guard let value = self[name] else { return nil }
        guard let bytes = value.string else { throw MemberFailure(name, "must be a string") }
        return bytes
    }

    func string(_ name: String) throws(MemberFailure) -> String? {
        guard let bytes = try bytes(name) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func integer(_ name: String) throws(MemberFailure) -> Int? {
        guard let value = self[name] else { return nil }
        guard let integer = value.integer else { throw MemberFailure(name, "must be a whole number") }
        return Int(integer)
    }

    func boolean(_ name: String) throws(MemberFailure) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let boolean = value.boolean else { throw MemberFailure(name, "must be true or false") }
        return boolean
    }

    func date(_ name: String) throws(MemberFailure) -> SigningTime? {
        guard let text = try string(name) else { return nil }
        guard let time = SigningTime(rfc3339: text) else {
            throw MemberFailure(name, "must be an RFC 3339 time such as 2026-11-21T10:00:00Z")
        }
        return time
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _: Choice.Type
    ) throws(MemberFailure) -> Choice? where Choice.RawValue == String {
        guard let text = try string(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw MemberFailure(name, "must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// Returns the value of `key`, or of its alias `path`.
    func key() throws(MemberFailure) -> [UInt8] {
        let (key, path) = (try bytes("key"), try bytes("path"))
        guard key == nil || path == nil else {
            throw MemberFailure("path", "is an alias of `key`; set only one of them")
        }
        guard let key = key ?? path else { throw MemberFailure("key", "is missing") }
        return key
    }

    func credentials() throws(MemberFailure) -> Credentials? {
        guard let value = self["credentials"] else { return nil }
        let members = try VectorMembers(credentials: value)
        guard let id = try members.string("accessKeyId"), let secret = try members.string("secretAccessKey"),
            !id.isEmpty, !secret.isEmpty
        else { throw MemberFailure("credentials", "must have accessKeyId and secretAccessKey") }
        let (token, expiration) = (try members.string("sessionToken"), try members.date("expiration"))
        do {
            return try Credentials(
                accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: expiration)
        } catch {
            throw MemberFailure("credentials", error.description)
        }
    }
}
