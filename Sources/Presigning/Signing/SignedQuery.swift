/// Query parameters that are signed besides those of the signature: the operation's own, and extra ones.
///
/// They are encoded and sorted once, by encoded name and bytewise, as the canonical request wants them.
public struct SignedQuery: Sendable, Hashable {
    /// No parameter but those of the signature.
    public static var none: SignedQuery { SignedQuery() }

    /// What is worked out, behind one reference, so that a query is cheap to pass on; `nil` without any.
    package let parts: Parts?

    private init() {
        parts = nil
    }

    /// Checks, encodes and sorts the operation's own parameters and the extra ones.
    ///
    /// - Throws: `StorageError.validation` for an empty name, a parameter the signature owns, or one given twice.
    public init(
        _ operation: AWSS3SigningOperation, extra: [(name: String, value: String)] = []
    ) throws(StorageError) {
        guard operation.hasOwnQuery || !extra.isEmpty else {
            parts = nil
            return
        }
        var parameters: [(name: [UInt8], value: [UInt8])] = []
        for (name, value) in operation.ownQuery + extra {
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
        parts = Parts(before: before, after: after)
    }

    /// Queries of the same parameters are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.parts === right.parts
            || (left.parts?.beforeSignature == right.parts?.beforeSignature
                && left.parts?.afterSignature == right.parts?.afterSignature)
    }

    /// As `==` demands.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(parts?.beforeSignature)
        hasher.combine(parts?.afterSignature)
    }

    package final class Parts: Sendable {
        /// The parameters whose names sort before `X-Amz-`, each followed by `&`.
        let beforeSignature: [UInt8]
        /// The parameters whose names sort after `X-Amz-`, each preceded by `&`.
        let afterSignature: [UInt8]

        init(before: [UInt8], after: [UInt8]) {
            beforeSignature = before
            afterSignature = after
        }

        var count: Int { beforeSignature.count + afterSignature.count }
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
