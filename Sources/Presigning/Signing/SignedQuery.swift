/// The signed query parameters other than those of the signature: the operation's own and additional ones.
///
/// They are encoded and sorted by the bytes of the encoded name, as the canonical request requires.
package struct SignedQuery: Sendable {
    /// The parameters whose names sort before `X-Amz-`. Each ends with `&`.
    let beforeSignature: [UInt8]
    /// The parameters whose names sort after `X-Amz-`. Each begins with `&`.
    let afterSignature: [UInt8]

    /// Validates, encodes and sorts the operation's own parameters and additional ones.
    ///
    /// - Throws: `StorageError.validation` for an empty name, a name reserved for the signature, or a duplicate.
    init(
        _ operation: AWSS3SigningOperation, extra: [(name: String, value: String)] = []
    ) throws(StorageError) {
        try self.init(extra.isEmpty ? operation.ownQuery : operation.ownQuery + extra)
    }

    /// Validates, encodes and sorts parameters; throws as the other initializer.
    package init(_ pairs: [(name: String, value: String)]) throws(StorageError) {
        guard !pairs.isEmpty else {
            (beforeSignature, afterSignature) = ([], [])
            return
        }
        var parameters: [(name: [UInt8], value: [UInt8])] = []
        for (name, value) in pairs {
            try Self.validate(name)
            parameters.append(
                (PercentEncoding.query.encode(Array(name.utf8)), PercentEncoding.query.encode(Array(value.utf8))))
        }
        parameters.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for (first, second) in zip(parameters, parameters.dropFirst()) where first.name == second.name {
            let name = String(decoding: first.name, as: UTF8.self)
            throw .invalid("query.\(name)", "It is a duplicate, or the operation already sets it.", "Keep one.")
        }
        var before: [UInt8] = []
        var after: [UInt8] = []
        for (name, value) in parameters {
            if name.lexicographicallyPrecedes(QueryParameter.prefix.utf8) {
                before += name + [0x3d] + value + [0x26]
            } else {
                after += [0x26] + name + [0x3d] + value
            }
        }
        (beforeSignature, afterSignature) = (before, after)
    }

    /// Checks a name. Case is ignored, because some servers ignore the case of reserved names.
    private static func validate(_ name: String) throws(StorageError) {
        guard !name.isEmpty else {
            throw .invalid("query", "A parameter has an empty name.", "Give every parameter a name.")
        }
        let isOwn =
            name.utf8.starts(with: QueryParameter.prefix.utf8)
            || QueryParameter.reserved.contains(HeaderRules.lowercased(name))
        guard !isOwn else {
            throw .invalid("query.\(name)", "Names beginning with X-Amz- are reserved.", "Leave it out.")
        }
    }
}
