import Presigning

/// The members of a batch line by name and type.
///
/// Members nobody knows are notes of whoever wrote the line and are left aside, unless they differ from a known one by
/// case only: `expiresin` must not silently mean five hours.
struct BatchMembers {
    private static let known = [
        "id", "date", "credentials", "region", "bucket", "endpoint", "addressing", "accelerate", "dualstack", "fips",
        "usEast1Endpoint", "operation", "method", "key", "path", "contentType", "expiresIn", "uploadId", "partNumber",
        "extra", "wire",
    ]
    private let value: JSONValue

    init(_ value: JSONValue) throws(FieldFailure) {
        guard case .object(let members) = value else { throw FieldFailure("", "a line must be a JSON object") }
        for member in members {
            let name = String(decoding: member.name, as: UTF8.self)
            if let meant = Self.known.first(where: { $0.lowercased() == name.lowercased() && $0 != name }) {
                throw FieldFailure(name, "is no member; write \(meant)")
            }
            if !Self.known.contains(name), PresignFieldName(rawValue: name) != nil {
                throw FieldFailure(name, "is not taken in a batch; name S3's own parameter under extra")
            }
        }
        self.value = value
    }

    /// The member; nil when it is absent or null.
    subscript(name: String) -> JSONValue? {
        value[name].flatMap { $0 == .null ? nil : $0 }
    }

    var hasBucket: Bool { self["bucket"] != nil }

    func bytes(_ name: String) throws(FieldFailure) -> [UInt8]? {
        guard let value = self[name] else { return nil }
        guard let bytes = value.string else { throw FieldFailure(name, "must be a string") }
        return bytes
    }

    func string(_ name: String) throws(FieldFailure) -> String? {
        guard let bytes = try bytes(name) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func integer(_ name: String) throws(FieldFailure) -> Int? {
        guard let value = self[name] else { return nil }
        guard let integer = value.integer else { throw FieldFailure(name, "must be a whole number") }
        return Int(integer)
    }

    func boolean(_ name: String) throws(FieldFailure) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let boolean = value.boolean else { throw FieldFailure(name, "must be true or false") }
        return boolean
    }

    func date(_ name: String) throws(FieldFailure) -> SigningTime? {
        guard let text = try string(name) else { return nil }
        guard let time = SigningTime(rfc3339: text) else {
            throw FieldFailure(name, "must be an RFC 3339 time such as 2026-11-21T10:00:00Z")
        }
        return time
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _: Choice.Type
    ) throws(FieldFailure) -> Choice? where Choice.RawValue == String {
        guard let text = try string(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw FieldFailure(name, "must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    func key() throws(FieldFailure) -> [UInt8] {
        if let key = try bytes("key") { return key }
        guard let path = try bytes("path") else { throw FieldFailure("key", "is missing") }
        return path
    }

    func credentials() throws(FieldFailure) -> Credentials? {
        guard let value = self["credentials"] else { return nil }
        let members = try BatchMembers(value)
        guard let id = try members.string("accessKeyId"), let secret = try members.string("secretAccessKey"),
            !id.isEmpty, !secret.isEmpty
        else { throw FieldFailure("credentials", "need accessKeyId and secretAccessKey") }
        let token = try members.string("sessionToken")
        do {
            return try Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token, expiration: nil)
        } catch {
            throw FieldFailure("credentials", error.description)
        }
    }
}
