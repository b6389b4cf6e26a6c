import DataFormats

/// Settings of a file that decide which objects and callers the rules are about, and that two files can only have in
/// common or not: buckets, issuers of tokens, hashes of API keys.
struct ComparedSettings: Sendable {
    /// The members of each section.
    private var sections: [String: [String: JSONValue]] = [:]

    init(_ file: JSONValue) {
        add("auth", file["auth"], besides: ["guest", "apiKeys"])
        add("server.tls", file["server"]?["tls"])
        add("lfs", file["lfs"])
        if case .array(let keys)? = file["auth"]?["apiKeys"] {
            for key in keys {
                guard let id = key["id"]?.string else { continue }
                let name = "auth.apiKeys \(String(decoding: id, as: UTF8.self))"
                add(name, key, besides: ["id", "identity", "groups", "disabled"])
            }
        }
        if case .object(let stores)? = file["stores"] {
            for store in stores {
                let name = "stores.\(String(decoding: store.name, as: UTF8.self))"
                add(name, store.value, besides: ["default", "links", "listing", "expires"])
            }
        }
    }

    private mutating func add(_ section: String, _ value: JSONValue?, besides compared: Set<String> = []) {
        var known: [String: JSONValue] = [:]
        if case .object(let members)? = value {
            for member in members { known[String(decoding: member.name, as: UTF8.self)] = member.value }
        }
        sections[section] = known.filter { !compared.contains($0.key) }
    }

    /// The names of the settings that differ in sections that both files have.
    func differences(from other: ComparedSettings) -> [String] {
        sections.keys.sorted().flatMap { section -> [String] in
            guard let mine = sections[section], let others = other.sections[section] else { return [] }
            return Set(mine.keys).union(others.keys).sorted().filter { mine[$0] != others[$0] }.map {
                "\(section).\($0)"
            }
        }
    }
}
