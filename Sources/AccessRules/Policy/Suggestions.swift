import ConfigurationReading
import Presigning
import Requests

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

extension AccessActionSet {
    /// The action that an unknown word probably stands for.
    package static func suggestion(for name: String) -> String? {
        let synonyms = [
            "put": "write", "upload": "write", "create": "write", "post": "write", "head": "get", "download": "get",
            "remove": "delete", "rm": "delete",
        ]
        return synonyms[name.lowercased()]
            ?? Suggestion.nearest(to: name, among: AccessAction.allCases.map(\.name) + ["read"])
    }
}
