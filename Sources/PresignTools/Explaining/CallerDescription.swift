import AccessRules
import CallerAuthentication
import ConfigurationReading
package import Requests

/// Parses the caller of `presign explain --as`.
///
/// The forms are `guest`; `caller:ID` and `certificate:NAME`, as in rules; and the parts of a token,
/// `sub=alice,groups=editors+admins,claim.tenant=acme`, with groups joined by `+` or `groups=` repeated.
package enum CallerDescription {
    /// Parses a caller.
    ///
    /// - Parameter file: defines the identity and groups of API keys, if it has keys.
    /// - Throws: `FieldFailure` for an invalid description.
    package static func caller(_ text: String, in file: PolicyFile) throws(FieldFailure) -> Caller {
        if text.utf8.elementsEqual("guest".utf8) { return .guest }
        switch Grantee(name: text) {
        case .apiKey(let id): return try file.caller(ofKey: String(decoding: id, as: UTF8.self))
        case .certificate(let name): return Caller(certificate: name)
        default: break
        }
        var identity: String?
        var groups: [String] = []
        var claims: [Caller.Claim] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let (name, value) = pair(part) else {
                throw failure("`\(part)` is not NAME=VALUE")
            }
            switch name {
            case "sub" where identity == nil, "identity" where identity == nil: identity = value
            case "group", "groups": groups += value.split(separator: "+").map(String.init)
            case _ where name.hasPrefix("claim.") && name.utf8.count > 6:
                claims.append(.init(name: String(name.dropFirst(6)), value: value))
            case "sub", "identity": throw failure("duplicate `\(name)`")
            default: throw failure("unknown `\(name)`")
            }
        }
        return Caller(scheme: .jwt, identity: identity, groups: groups, claims: claims)
    }

    /// The name of the option in errors.
    fileprivate static let option = "--as"

    private static func failure(_ detail: String) -> FieldFailure {
        FieldFailure(
            option,
            detail + "; must be guest, caller:ID, certificate:NAME, or any of sub=ID,groups=A+B,claim.NAME=VALUE")
    }

    private static func pair(_ part: Substring) -> (name: String, value: String)? {
        guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let value = part[part.utf8.index(after: equals)...]
        return value.utf8.isEmpty ? nil : (String(part[..<equals]), String(value))
    }
}

extension PolicyFile {
    /// Returns the caller of a configured API key; in a file with rules only, the identity is the id of the key.
    fileprivate func caller(ofKey id: String) throws(FieldFailure) -> Caller {
        guard APIKey.isValidID(id.utf8) else {
            throw FieldFailure(CallerDescription.option, "`\(id)` is not the id of an API key")
        }
        guard let keys = authentication?.apiKeys else { return Caller(apiKeyID: id, identity: id) }
        if let entry = keys.first(where: { $0.id.utf8.elementsEqual(id.utf8) }) { return entry.caller }
        throw FieldFailure(
            CallerDescription.option,
            "there is no API key `\(id)` under auth.apiKeys" + Suggestion.text(for: id, among: keys.map(\.id)))
    }
}
