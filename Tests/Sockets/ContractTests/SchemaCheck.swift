import DataFormats

/// Validates JSON values against the document's schemas, with the part of JSON Schema that they use. Stricter than JSON
/// Schema in one point: a member that the schema does not name is a violation, because the document must name every
/// member.
struct SchemaCheck {
    /// The supported keywords. A schema with any other keyword would be checked incompletely.
    static let keywords: Set<String> = [
        "$ref", "type", "required", "properties", "additionalProperties", "enum", "const", "minimum", "maximum",
        "minLength", "maxLength", "minItems", "maxItems", "items", "oneOf", "description", "default",
        "examples",
        // Checked by the service's own tests.
        "pattern", "format",
    ]

    let document: OpenAPIDocument

    /// The violations of the schema with their locations; empty if the value is valid.
    func violations(of value: JSONValue, _ schema: DocumentNode, at place: String = "#") -> [String] {
        let schema = document.resolved(schema)
        if let type = schema["type"]?.text, !Self.has(value, type) { return ["\(place) is no \(type)"] }
        var found = schema.members.filter { !Self.keywords.contains($0.name) }.map { "\(place): keyword \($0.name)" }
        if let allowed = schema["enum"]?.entries, !allowed.contains(where: { $0.json == value }) {
            found.append("\(place) is not in its enum")
        }
        if let constant = schema["const"], constant.json != value { found.append("\(place) is not its constant") }
        if let branches = schema["oneOf"]?.entries {
            let matching = branches.count { violations(of: value, $0, at: place).isEmpty }
            if matching != 1 { found.append("\(place) matches \(matching) branches of oneOf") }
        }
        switch value {
        case .object(let members): found += violations(of: members, schema, at: place)
        case .array(let items): found += violations(of: items, schema, at: place)
        case .string(let bytes):
            found += Self.bounds(
                String(decoding: bytes, as: UTF8.self).unicodeScalars.count, schema, "minLength", "maxLength", place)
        case .number: found += Self.bounds(value.integer.map { Int($0) } ?? .min, schema, "minimum", "maximum", place)
        case .boolean, .null: break
        }
        return found
    }

    private func violations(of members: [JSONValue.Member], _ schema: DocumentNode, at place: String) -> [String] {
        let names = Set(members.map { String(decoding: $0.name, as: UTF8.self) })
        let required = (schema["required"]?.entries ?? []).compactMap(\.text)
        var found = required.filter { !names.contains($0) }.map { "\(place) lacks \($0)" }
        guard schema["properties"] != nil || schema["additionalProperties"] != nil else { return found }
        for member in members {
            let name = String(decoding: member.name, as: UTF8.self)
            let additional = schema["additionalProperties"].flatMap { $0.text == nil ? $0 : nil }
            if let known = schema["properties"]?[name] ?? additional {
                found += violations(of: member.value, known, at: "\(place)/\(name)")
            } else {
                found.append("\(place) has the undocumented member \(name)")
            }
        }
        return found
    }

    private func violations(of items: [JSONValue], _ schema: DocumentNode, at place: String) -> [String] {
        var found = Self.bounds(items.count, schema, "minItems", "maxItems", place)
        guard let schema = schema["items"] else { return found }
        for (index, item) in items.enumerated() { found += violations(of: item, schema, at: "\(place)/\(index)") }
        return found
    }

    private static func has(_ value: JSONValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .boolean): true
        case ("integer", .number): value.integer != nil
        default: false
        }
    }

    private static func bounds(
        _ size: Int, _ schema: DocumentNode, _ least: String, _ most: String, _ place: String
    ) -> [String] {
        let least = schema[least]?.text.flatMap { Int($0) } ?? .min
        let most = schema[most]?.text.flatMap { Int($0) } ?? .max
        return (least...most).contains(size) ? [] : ["\(place) must be \(least) to \(most)"]
    }
}
