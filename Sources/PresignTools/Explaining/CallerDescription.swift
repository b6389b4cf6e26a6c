package import AccessRules
import CallerAuthentication
import ConfigurationReading
package import PresignService

/// A caller in words, as `presign explain --as` takes it.
///
/// `guest`; `apikey=ID`; `certificate=NAME`; or the parts of a token,
/// `sub=alice,groups=editors+admins,claim.tenant=acme`. Several groups are joined by `+`, or `groups=` is repeated.
package enum CallerDescription {
    /// The caller of these words.
    ///
    /// - Parameter file: says what an API key stands for, where it has keys.
    /// - Throws: `FieldFailure` that says what is wrong with the words.
    package static func caller(_ text: String, in file: PolicyFile) throws(FieldFailure) -> Caller {
        if text.utf8.elementsEqual("guest".utf8) { return .guest }
        // A name may have commas: `certificate` stands alone.
        let word = "certificate="
        if text.utf8.starts(with: word.utf8), text.utf8.count > word.utf8.count {
            return Caller(certificate: Array(text.utf8.dropFirst(word.utf8.count)))
        }
        var (identity, key): (String?, String?)
        var groups: [String] = []
        var claims: [Caller.Claim] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let (name, value) = pair(part) else {
                throw failure("`\(part)` is no NAME=VALUE")
            }
            switch name {
            case "sub" where identity == nil, "identity" where identity == nil: identity = value
            case "apikey" where key == nil: key = value
            case "group", "groups": groups += value.split(separator: "+").map(String.init)
            case _ where name.hasPrefix("claim.") && name.utf8.count > 6:
                claims.append(.init(name: String(name.dropFirst(6)), value: value))
            case "sub", "identity", "apikey": throw failure("`\(name)` stands twice")
            default: throw failure("`\(name)` is unknown")
            }
        }
        guard let key else { return Caller(scheme: .jwt, identity: identity, groups: groups, claims: claims) }
        guard identity == nil, groups.isEmpty, claims.isEmpty else {
            throw failure("what an API key stands for is in the configuration; give `apikey=ID` alone")
        }
        return try file.holder(ofKey: key)
    }

    package static func failure(_ detail: String) -> FieldFailure {
        FieldFailure(
            "--as",
            detail + "; write guest, apikey=ID, certificate=NAME, or sub=ID,groups=A+B,claim.NAME=VALUE (any of them)")
    }

    private static func pair(_ part: Substring) -> (name: String, value: String)? {
        guard let equals = part.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let value = part[part.utf8.index(after: equals)...]
        return value.utf8.isEmpty ? nil : (String(part[..<equals]), String(value))
    }
}

extension PolicyFile {
    /// The caller that a configured key stands for; where there are rules only, its id is its identity, as is usual.
    fileprivate func holder(ofKey id: String) throws(FieldFailure) -> Caller {
        guard let keys = authentication?.apiKeys else { return Caller(apiKeyID: id, identity: id) }
        if let entry = keys.first(where: { $0.id.utf8.elementsEqual(id.utf8) }) { return entry.caller }
        throw CallerDescription.failure(
            "there is no API key `\(id)` under auth.apiKeys" + Suggestion.text(for: id, among: keys.map(\.id)))
    }
}
