import Text

/// A received request target, decoded once and encoded in canonical form, as S3 does.
struct ReceivedTarget {
    struct Parameter {
        let name: [UInt8]
        let value: [UInt8]
        let encodedName: [UInt8]
        let encodedValue: [UInt8]
    }

    let canonicalPath: [UInt8]
    let parameters: [Parameter]

    init(_ target: [UInt8]) throws(PresignedURLParseFailure) {
        let mark = target.firstIndex(of: 0x3f) ?? target.endIndex
        guard target.first == 0x2f, let path = PercentEncoding.decode(target[..<mark]) else {
            throw PresignedURLParseFailure("path", "it does not begin with / or has an invalid percent escape")
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
        guard let value = try optionalValue(of: name) else { throw PresignedURLParseFailure(name) }
        return value
    }

    /// Returns the value of an optional signature parameter, or nil if it is missing.
    ///
    /// - Throws: if the parameter is a duplicate (ignoring case) or spelled in another case.
    func optionalValue(of name: String) throws(PresignedURLParseFailure) -> [UInt8]? {
        let wanted = ASCII.lowercased(name.utf8)
        let found = parameters.filter { ASCII.lowercased($0.name) == wanted }
        guard found.count <= 1 else { throw PresignedURLParseFailure(name, "it is a duplicate") }
        guard let first = found.first else { return nil }
        guard first.name == Array(name.utf8) else {
            throw PresignedURLParseFailure(name, "its name is spelled in the wrong case")
        }
        return first.value
    }

    /// Returns the canonical request with this target.
    ///
    /// Fails if a signed header is missing or a header that must be signed is not: S3 rejects unsigned `x-amz-*`
    /// headers, because they change what the request does.
    func canonicalRequest(
        of request: PresignedURLVerifier.Request, signing names: [[UInt8]], payload: [UInt8]
    ) -> Result<ReceivedSignature.Content, PresignedURLVerification.Mismatch> {
        let unsigned = request.headers.first { name, _ in
            (name.starts(with: "x-amz-".utf8) || name.elementsEqual("content-md5".utf8)) && !names.contains(name)
        }
        if let unsigned { return .failure(.unsignedHeader(String(decoding: unsigned.name, as: UTF8.self))) }
        var lines = [Array(request.method.utf8), canonicalPath, canonicalQuery]
        for name in names {
            var values = request.headers.filter { $0.name == name }.map(\.value)
            if name.elementsEqual("host".utf8) { values = [Array(request.host.utf8)] }
            guard !values.isEmpty else { return .failure(.missingHeader(String(decoding: name, as: UTF8.self))) }
            lines.append(name + [UInt8(ascii: ":")] + values.map(Self.folded).joined(separator: [ASCII.comma]))
        }
        lines += [[], Array(names.joined(separator: [UInt8(ascii: ";")])), payload]
        return .success(.request(Array(lines.joined(separator: [ASCII.lineFeed]))))
    }

    /// Returns the value without surrounding white space, and with every run of white space replaced by one space.
    private static func folded(_ value: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == ASCII.space || (0x09...0x0d).contains(byte) }
        return Array(value.split(whereSeparator: isBlank).joined(separator: [ASCII.space]))
    }

    /// All parameters except the signature, sorted by the bytes of the encoded name, then the encoded value.
    private var canonicalQuery: [UInt8] {
        let signed = parameters.filter { !$0.name.elementsEqual(QueryParameter.signature.utf8) }.sorted {
            $0.encodedName == $1.encodedName
                ? $0.encodedValue.lexicographicallyPrecedes($1.encodedValue)
                : $0.encodedName.lexicographicallyPrecedes($1.encodedName)
        }
        let parts = signed.map { $0.encodedName + [UInt8(ascii: "=")] + $0.encodedValue }
        return Array(parts.joined(separator: [UInt8(ascii: "&")]))
    }

    private static func parameter(_ part: ArraySlice<UInt8>) throws(PresignedURLParseFailure) -> Parameter {
        let equals = part.firstIndex(of: 0x3d) ?? part.endIndex
        guard let name = PercentEncoding.decode(part[..<equals]),
            let value = PercentEncoding.decode(part[equals...].dropFirst())
        else {
            throw PresignedURLParseFailure(
                String(decoding: part[..<equals], as: UTF8.self), "it has an invalid percent escape")
        }
        return Parameter(
            name: name, value: value, encodedName: PercentEncoding.query.encode(name),
            encodedValue: PercentEncoding.query.encode(value))
    }
}
