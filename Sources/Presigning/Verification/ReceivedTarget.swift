import Text

/// A received request target, decoded once and encoded in canonical form, as S3 does.
struct ReceivedTarget {
    struct Parameter {
        package let name: [UInt8]
        package let value: [UInt8]
        let encodedName: [UInt8]
        let encodedValue: [UInt8]
    }

    let canonicalPath: [UInt8]
    let parameters: [Parameter]

    init(_ target: [UInt8]) throws(PresignedURLParseFailure) {
        let mark = target.firstIndex(of: 0x3f) ?? target.endIndex
        guard target.first == 0x2f, let path = PercentEncoding.decode(target[..<mark]) else {
            throw PresignedURLParseFailure(
                parameter: "path", reason: "it does not begin with / or has an invalid percent escape")
        }
        canonicalPath = PercentEncoding.path.encode(path)
        var parameters: [Parameter] = []
        for part in target[mark...].dropFirst().split(separator: 0x26) {
            parameters.append(try Self.parameter(part))
        }
        self.parameters = parameters
    }

    /// Returns the value of a required signature parameter.
    ///
    /// - Throws: if the parameter is missing, a duplicate, or spelled in another case.
    func value(of name: String) throws(PresignedURLParseFailure) -> [UInt8] {
        guard let value = try optionalValue(of: name) else {
            throw PresignedURLParseFailure(parameter: name, reason: nil)
        }
        return value
    }

    /// Returns the value of an optional signature parameter, or nil if it is missing.
    ///
    /// - Throws: if the parameter is a duplicate (ignoring case) or spelled in another case.
    func optionalValue(of name: String) throws(PresignedURLParseFailure) -> [UInt8]? {
        let wanted = ASCII.lowercased(name.utf8)
        let found = parameters.filter { ASCII.lowercased($0.name) == wanted }
        guard found.count <= 1 else { throw PresignedURLParseFailure(parameter: name, reason: "it is a duplicate") }
        guard let first = found.first else { return nil }
        guard first.name == Array(name.utf8) else {
            throw PresignedURLParseFailure(parameter: name, reason: "its name is spelled in the wrong case")
        }
        return first.value
    }

    /// Appends all parameters except the signature, sorted by the bytes of the encoded name, then the encoded value.
    func appendCanonicalQuery(to output: inout [UInt8]) {
        let signed = parameters.filter { $0.name != Array(QueryParameter.signature.utf8) }.sorted { first, second in
            first.encodedName == second.encodedName
                ? first.encodedValue.lexicographicallyPrecedes(second.encodedValue)
                : first.encodedName.lexicographicallyPrecedes(second.encodedName)
        }
        for (index, parameter) in signed.enumerated() {
            if index > 0 { output.append(0x26) }
            output.append(contentsOf: parameter.encodedName)
            output.append(0x3d)
            output.append(contentsOf: parameter.encodedValue)
        }
    }

    private static func parameter(_ part: ArraySlice<UInt8>) throws(PresignedURLParseFailure) -> Parameter {
        let equals = part.firstIndex(of: 0x3d) ?? part.endIndex
        guard let name = PercentEncoding.decode(part[..<equals]),
            let value = PercentEncoding.decode(part[equals...].dropFirst())
        else {
            throw PresignedURLParseFailure(
                parameter: String(decoding: part[..<equals], as: UTF8.self), reason: "it has an invalid percent escape")
        }
        return Parameter(
            name: name, value: value, encodedName: PercentEncoding.query.encode(name),
            encodedValue: PercentEncoding.query.encode(value))
    }
}
