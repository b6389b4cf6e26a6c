/// Query parameters that are signed besides those of the signature: the operation's own, and extra ones.
///
/// They are encoded and sorted once, by encoded name and bytewise, as the canonical request wants them.
public struct SignedQuery: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        let name: [UInt8]
        let value: [UInt8]
    }

    /// No parameter but those of the signature.
    public static let none = SignedQuery()

    let parameters: [Parameter]

    private init() {
        parameters = []
    }

    /// Checks, encodes and sorts the operation's own parameters and the extra ones.
    ///
    /// - Throws: `StorageError.validation` for an empty name, a parameter the signature owns, or one given twice.
    public init(
        _ operation: AWSS3SigningOperation, extra: [(name: String, value: String)] = []
    ) throws(StorageError) {
        var parameters: [Parameter] = []
        for (name, value) in operation.ownQuery + extra {
            try Self.validate(name)
            parameters.append(
                Parameter(
                    name: PercentEncoding.query.encode(Array(name.utf8)),
                    value: PercentEncoding.query.encode(Array(value.utf8))))
        }
        parameters.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for (first, second) in zip(parameters, parameters.dropFirst()) where first.name == second.name {
            let name = String(decoding: first.name, as: UTF8.self)
            throw .invalid("query.\(name)", "It is given twice, or the operation sets it itself.", "Give it once.")
        }
        self.parameters = parameters
    }

    /// Names are compared without case, for some servers read them so.
    private static func validate(_ name: String) throws(StorageError) {
        guard !name.isEmpty else {
            throw .invalid("query", "A parameter has no name.", "Name every parameter.")
        }
        guard !QueryParameter.reserved.contains(HeaderRules.lowercased(name)) else {
            throw .invalid("query.\(name)", "The signature sets it itself.", "Leave it out.")
        }
    }
}
