/// Query parameters that are signed besides those of the signature: the operation's own, and extra ones.
///
/// They are encoded, and sorted by encoded name, bytewise, as the canonical request requires.
struct SignedQuery: Sendable {
    /// The parameters whose names sort before `X-Amz-`, each followed by `&`.
    let beforeSignature: [UInt8]
    /// The parameters whose names sort after `X-Amz-`, each preceded by `&`.
    let afterSignature: [UInt8]

    /// Checks, encodes and sorts the operation's own parameters and the extra ones.
    ///
    /// - Throws: `StorageError.validation` for an empty name, a parameter the signature owns, or one given twice.
    init(
        _ operation: AWSS3SigningOperation, extra: [(name: String, value: String)] = []
    ) throws(StorageError) {
        let given = operation.ownQuery + extra
        guard !given.isEmpty else {
            (beforeSignature, afterSignature) = ([], [])
            return
        }
        var parameters: [(name: [UInt8], value: [UInt8])] = []
        for (name, value) in given {
            try Self.validate(name)
            parameters.append(
                (PercentEncoding.query.encode(Array(name.utf8)), PercentEncoding.query.encode(Array(value.utf8))))
        }
        parameters.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for (first, second) in zip(parameters, parameters.dropFirst()) where first.name == second.name {
            let name = String(decoding: first.name, as: UTF8.self)
            throw .invalid("query.\(name)", "It is given twice, or the operation sets it itself.", "Give it once.")
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

    /// Reserved names are compared without case, for some servers read them so.
    private static func validate(_ name: String) throws(StorageError) {
        guard !name.isEmpty else {
            throw .invalid("query", "A parameter has no name.", "Name every parameter.")
        }
        let isOwn =
            name.utf8.starts(with: QueryParameter.prefix.utf8)
            || QueryParameter.reserved.contains(HeaderRules.lowercased(name))
        guard !isOwn else {
            throw .invalid("query.\(name)", "Names of this form belong to the signature.", "Leave it out.")
        }
    }
}
