import DataFormats
package import Requests

/// The callers that a grant applies to.
package enum Grantee: Hashable, Sendable {
    /// Every caller, guests included.
    case everyone
    /// Callers without credentials, and anonymous users. Signed-in callers are not guests (as in Amplify).
    case guest
    /// Every caller who is not a guest.
    case authenticated
    /// A caller whose own values equal the captures of all placeholders.
    case owner
    /// A caller whose own value equals the capture of this placeholder.
    case placeholder(Placeholder)
    /// A caller in this group.
    case group([UInt8])
    /// The holder of the API key with this id.
    case apiKey([UInt8])
    /// The holder of a client certificate with this name.
    case certificate([UInt8])

    /// The grantee for a name in the configuration; nil for an unknown name.
    package init?(name: String) {
        switch name {
        case "everyone": self = .everyone
        case "guest": self = .guest
        case "authenticated": self = .authenticated
        case "owner": self = .owner
        default:
            let bytes = Array(name.utf8)
            if let placeholder = Placeholder(bytes) {
                self = .placeholder(placeholder)
            } else if bytes.starts(with: "group:".utf8), bytes.count > 6 {
                self = .group(Array(bytes.dropFirst(6)))
            } else if bytes.starts(with: "caller:".utf8), bytes.count > 7 {
                self = .apiKey(Array(bytes.dropFirst(7)))
            } else if bytes.starts(with: "certificate:".utf8), bytes.count > 12 {
                self = .certificate(Array(bytes.dropFirst(12)))
            } else {
                return nil
            }
        }
    }

    /// Whether the grant applies to the caller.
    ///
    /// - Parameter key: A key that the template of the rule matches.
    package func includes(_ caller: Caller, template: PathTemplate, key: [UInt8]) -> Bool {
        switch self {
        case .everyone: true
        case .guest: caller.isGuest
        case .authenticated: !caller.isGuest
        case .owner: !caller.isGuest && template.captures(nil, of: caller, in: key)
        case .placeholder(let placeholder): !caller.isGuest && template.captures(placeholder, of: caller, in: key)
        case .group(let name): !caller.isGuest && caller.isMember(of: name.span)
        case .apiKey(let id): !caller.isGuest && caller.apiKeyID == id
        case .certificate(let name): caller.scheme == .mutualTLS && caller.identity == name
        }
    }
}

extension Grantee {
    /// The grantee that an unknown name probably stands for.
    package static func suggestion(for name: String) -> String? {
        if let suggestion = Placeholder.suggestion(for: name) { return suggestion }
        if let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")), name.utf8.index(after: colon) < name.utf8.endIndex {
            let kind = name[..<colon].lowercased()
            let rest = name[colon...]
            if ["group", "groups", "role", "team"].contains(kind) { return "group\(rest)" }
            if ["caller", "callers", "key", "apikey", "api-key", "client"].contains(kind) { return "caller\(rest)" }
        }
        let synonyms = [
            "all": "everyone", "anyone": "everyone", "everybody": "everyone", "public": "everyone", "*": "everyone",
            "anonymous": "guest", "unauthenticated": "guest", "user": "authenticated", "users": "authenticated",
            "signed-in": "authenticated", "self": "owner", "entity": "owner", "identity": "owner",
        ]
        return synonyms[name.lowercased()]
            ?? Suggestion.nearest(to: name, among: ["everyone", "guest", "authenticated", "owner"])
    }
}

extension Placeholder {
    /// The placeholder that an unknown word in braces probably stands for; nil for any other text.
    package static func suggestion(for text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}") else { return nil }
        let word = String(text.dropFirst().dropLast())
        guard !word.utf8.isEmpty, word.utf8.last != UInt8(ascii: "."),
            !word.utf8.contains(where: { "{}*".utf8.contains($0) })
        else { return nil }
        let synonyms = [
            "sub": "{identity}", "user": "{identity}", "userid": "{identity}", "user_id": "{identity}",
            "entity_id": "{identity}", "identityid": "{identity}", "team": "{group}",
        ]
        if let placeholder = synonyms[word.lowercased()] { return placeholder }
        if let nearest = Suggestion.nearest(to: word, among: ["identity", "group"]) { return "{\(nearest)}" }
        let name = word.split(separator: ".", maxSplits: 1).last.map(String.init) ?? word
        return "{claim.\(name)}"
    }
}
