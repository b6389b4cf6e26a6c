import DataFormats

/// Compares a description of the API with an earlier one: what a client written for the earlier one relies on.
struct DescriptionComparison {
    /// What the later description breaks, each with its place.
    private(set) var breaks: [String] = []

    private let old: DescriptionNode
    private let new: DescriptionNode
    /// The references that are compared already, or will be.
    private var compared: Set<String> = []

    init(of new: DescriptionNode, with old: DescriptionNode) {
        (self.old, self.new) = (old, new)
        for (path, methods) in old["paths"].members {
            for (method, operation) in methods.members where operation["responses"].isPresent {
                compare(operation, new["paths"][path][method], "\(method) \(path)")
            }
        }
    }

    private mutating func compare(_ old: DescriptionNode, _ new: DescriptionNode, _ place: String) {
        guard new.isPresent else { return breaks.append("\(place) is gone") }
        compareParameters(old, new, place)
        if new["requestBody"]["required"].text == "true", old["requestBody"]["required"].text != "true" {
            breaks.append("\(place): a body is required")
        }
        compareContent(old["requestBody"], new["requestBody"], "\(place) request", isRequest: true)
        for (status, response) in old["responses"].members {
            let place = "\(place) \(status)"
            let (response, other) = (response.resolved(in: self.old), new["responses"][status].resolved(in: self.new))
            guard other.isPresent else {
                breaks.append("\(place) is gone")
                continue
            }
            for (header, _) in response["headers"].members where !other["headers"][header].isPresent {
                breaks.append("\(place): the header \(header) is gone")
            }
            compareContent(response, other, place, isRequest: false)
        }
    }

    private mutating func compareParameters(_ old: DescriptionNode, _ new: DescriptionNode, _ place: String) {
        func parameters(of operation: DescriptionNode, in root: DescriptionNode) -> [String: DescriptionNode] {
            let resolved = operation["parameters"].entries.map { $0.resolved(in: root) }
            return Dictionary(resolved.map { ("\($0["in"].text ?? "") \($0["name"].text ?? "")", $0) }) { $1 }
        }
        let (earlier, later) = (parameters(of: old, in: self.old), parameters(of: new, in: self.new))
        for name in earlier.keys.sorted() where later[name] == nil { breaks.append("\(place): \(name) is gone") }
        for (name, parameter) in later.sorted(by: { $0.key < $1.key }) where parameter["required"].text == "true" {
            if earlier[name]?["required"].text != "true" { breaks.append("\(place): \(name) is required") }
        }
    }

    private mutating func compareContent(
        _ old: DescriptionNode, _ new: DescriptionNode, _ place: String, isRequest: Bool
    ) {
        for (type, content) in old["content"].members {
            let other = new["content"][type]
            guard other.isPresent else {
                breaks.append("\(place): \(type) is gone")
                continue
            }
            compareSchemas(content["schema"], other["schema"], "\(place) \(type)", isRequest: isRequest)
        }
    }

    private mutating func compareSchemas(
        _ old: DescriptionNode, _ new: DescriptionNode, _ place: String, isRequest: Bool
    ) {
        if let reference = old["$ref"].text {
            guard compared.insert("\(isRequest) \(reference) \(new["$ref"].text ?? "")").inserted else { return }
        }
        let (old, new) = (old.resolved(in: self.old), new.resolved(in: self.new))
        guard old.isPresent else { return }
        guard new.isPresent else { return breaks.append("\(place) is gone") }
        compareValues(old, new, place, isRequest: isRequest)
        let (earlier, later) = (old["required"].texts, new["required"].texts)
        let changed = isRequest ? later.subtracting(earlier) : earlier.subtracting(later)
        for name in changed.sorted() { breaks.append("\(place): \(name) is \(isRequest ? "" : "not ")required") }
        for (name, property) in old["properties"].members {
            compareSchemas(property, new["properties"][name], "\(place).\(name)", isRequest: isRequest)
        }
        for (key, suffix) in [("items", "[]"), ("additionalProperties", ".*")] where !old[key].members.isEmpty {
            compareSchemas(old[key], new[key], place + suffix, isRequest: isRequest)
        }
        for key in ["oneOf", "anyOf", "allOf"] {
            for (index, one) in old[key].entries.enumerated() {
                let other = index < new[key].entries.count ? new[key].entries[index] : .absent
                compareSchemas(one, other, "\(place) \(key) \(index)", isRequest: isRequest)
            }
        }
    }

    /// Compares the values that a schema accepts: requests may have more of them, and both may have more words.
    private mutating func compareValues(
        _ old: DescriptionNode, _ new: DescriptionNode, _ place: String, isRequest: Bool
    ) {
        let (types, later) = (old["type"].texts, new["type"].texts)
        if isRequest ? !later.isSuperset(of: types) : later != types { breaks.append("\(place): the type differs") }
        for word in old["enum"].texts.subtracting(new["enum"].texts).sorted() where new["enum"].isPresent || !isRequest
        {
            breaks.append("\(place): the value \(word) is gone")
        }
        guard isRequest else { return }
        if new["enum"].isPresent, !old["enum"].isPresent { breaks.append("\(place): the values are limited") }
        for (bound, isMaximum) in [
            ("maximum", true), ("maxLength", true), ("maxItems", true), ("maxProperties", true), ("minimum", false),
            ("minLength", false), ("minItems", false),
        ] {
            guard let limit = new[bound].text.flatMap(Double.init) else { continue }
            let earlier = old[bound].text.flatMap(Double.init) ?? (isMaximum ? .infinity : -.infinity)
            if isMaximum ? limit < earlier : limit > earlier { breaks.append("\(place): \(bound) is \(limit)") }
        }
        if new["additionalProperties"].text == "false", old["additionalProperties"].text != "false" {
            breaks.append("\(place): further members are refused")
        }
        if let pattern = new["pattern"].text, pattern != old["pattern"].text { breaks.append("\(place): the pattern") }
    }
}

/// A node of a description; absent nodes have no members.
enum DescriptionNode {
    case absent
    case scalar(String)
    case list([DescriptionNode])
    case mapping([(name: String, value: DescriptionNode)])

    init(_ node: ConfigurationNode) {
        switch node.content {
        case .scalar(let text, _): self = .scalar(text)
        case .list(let entries): self = .list(entries.map { DescriptionNode($0) })
        case .mapping(let members): self = .mapping(members.map { ($0.key, DescriptionNode($0.value)) })
        }
    }

    /// Reads a description.
    init(parsing bytes: [UInt8]) throws { self.init(try YAMLReader.read(bytes, file: "openapi.yaml")) }

    var isPresent: Bool { if case .absent = self { false } else { true } }
    var members: [(name: String, value: DescriptionNode)] {
        if case .mapping(let members) = self { members } else { [] }
    }
    var entries: [DescriptionNode] { if case .list(let entries) = self { entries } else { [] } }
    var text: String? { if case .scalar(let text) = self { text } else { nil } }
    /// The text of a scalar or the texts of a list.
    var texts: Set<String> { Set(text.map { [$0] } ?? entries.compactMap(\.text)) }

    subscript(name: String) -> DescriptionNode { members.first { $0.name == name }?.value ?? .absent }

    /// The node itself, or the target of its `$ref`.
    func resolved(in root: DescriptionNode) -> DescriptionNode {
        guard let reference = self["$ref"].text else { return self }
        return reference.split(separator: "/").dropFirst().reduce(root) { $0[String($1)] }.resolved(in: root)
    }
}
