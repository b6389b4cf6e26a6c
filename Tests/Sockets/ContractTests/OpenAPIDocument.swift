import DataFormats
import TestSupport

/// `config/openapi.yaml`, parsed by the service's own strict YAML reader.
struct OpenAPIDocument: Sendable {
    /// One route and method as named in the document, such as `/presign` and `post`.
    struct Operation: Hashable, Sendable {
        let path: String
        let method: String
    }

    let root: DocumentNode

    init() throws {
        root = DocumentNode(
            try YAMLReader.read(Repository.bytes(of: "config/openapi.yaml"), file: "config/openapi.yaml"))
    }

    /// The node itself, or the target of its `$ref`.
    func resolved(_ node: DocumentNode) -> DocumentNode {
        guard let reference = node["$ref"]?.text else { return node }
        let target = reference.split(separator: "/").dropFirst().reduce(root) { $0?[String($1)] }
        return target.map(resolved) ?? node
    }

    func schema(_ name: String) -> DocumentNode? {
        root["components"]?["schemas"]?[name]
    }

    /// Every operation of the document.
    var operations: [Operation] {
        (root["paths"]?.members ?? []).flatMap { path in
            path.value.members.map { Operation(path: path.name, method: $0.name) }
        }
    }

    /// The documented statuses of an operation.
    func statuses(of operation: Operation) -> Set<Int> {
        let responses = root["paths"]?[operation.path]?[operation.method]?["responses"]
        return Set((responses?.members ?? []).compactMap { Int($0.name) })
    }

    func response(_ status: Int, of operation: Operation) -> DocumentNode? {
        let responses = root["paths"]?[operation.path]?[operation.method]?["responses"]
        return responses?["\(status)"].map(resolved)
    }

    /// Name and value of every example body of a `POST`, by content type.
    func requestExamples(of path: String) -> [(contentType: String, name: String, value: DocumentNode)] {
        let content = root["paths"]?[path]?["post"]?["requestBody"]?["content"]?.members ?? []
        return content.flatMap { type in
            (type.value["examples"]?.members ?? []).compactMap { example in
                resolved(example.value)["value"].map { (type.name, example.name, $0) }
            }
        }
    }
}

/// A node of the document.
enum DocumentNode: Sendable {
    case scalar(String, isPlain: Bool)
    case list([DocumentNode])
    case mapping([(name: String, value: DocumentNode)])

    init(_ node: ConfigurationNode) {
        switch node.content {
        case .scalar(let text, let isPlain): self = .scalar(text, isPlain: isPlain)
        case .list(let entries): self = .list(entries.map { DocumentNode($0) })
        case .mapping(let members): self = .mapping(members.map { ($0.key, DocumentNode($0.value)) })
        }
    }

    /// The members of a mapping in file order; empty for another node.
    var members: [(name: String, value: DocumentNode)] {
        if case .mapping(let members) = self { members } else { [] }
    }

    /// The entries of a list; empty for another node.
    var entries: [DocumentNode] {
        if case .list(let entries) = self { entries } else { [] }
    }

    /// The text of a scalar.
    var text: String? {
        if case .scalar(let text, _) = self { text } else { nil }
    }

    subscript(name: String) -> DocumentNode? {
        members.first { $0.name == name }?.value
    }

    /// The node as JSON; plain scalars become booleans or numbers if they look like them.
    var json: JSONValue {
        switch self {
        case .mapping: return .object(members.map { .init(name: Array($0.name.utf8), value: $0.value.json) })
        case .list(let entries): return .array(entries.map(\.json))
        case .scalar(let text, let isPlain):
            if isPlain, let boolean = Bool(text) { return .boolean(boolean) }
            return isPlain && Int64(text) != nil ? .number(Array(text.utf8)) : .string(Array(text.utf8))
        }
    }
}
