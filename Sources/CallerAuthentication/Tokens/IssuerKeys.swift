import Cryptography

/// The keys of one issuer.
struct IssuerKeys: Sendable {
    /// A key with its attributes in the key set.
    struct Entry: Sendable {
        package let keyID: [UInt8]?
        /// The only algorithm it may be used with; nil for every accepted algorithm of its type.
        package let algorithm: SignatureAlgorithm?
        package let key: VerificationKey
    }

    private let entries: [Entry]
    /// Whether `kid` selects the key. Keys from PEM files and secrets have no ids, so each key of the type is tried.
    private let areNamed: Bool
    /// The keys that were skipped, and other findings, for the operator.
    let warnings: [String]

    init(_ entries: [Entry], areNamed: Bool, warnings: [String]) {
        (self.entries, self.areNamed, self.warnings) = (entries, areNamed, warnings)
    }

    /// The ids of the keys, in the order of the file; empty if they have none.
    var keyIDs: [[UInt8]] { entries.compactMap(\.keyID) }

    /// The keys to verify a token with: one if keys have ids, else all of the type.
    ///
    /// - Throws: If the header does not select a key, or the key cannot be used with its algorithm. No other key is
    ///   tried.
    func candidates(for header: TokenHeader) throws(TokenRefusal) -> [VerificationKey] {
        let selected: [Entry]
        if !areNamed {
            selected = entries
        } else if let keyID = header.keyID {
            selected = entries.filter { $0.keyID == keyID }
            if selected.isEmpty { throw .unknownKey }
        } else if entries.count == 1 {
            selected = entries
        } else {
            throw .keyIDMissing
        }
        let usable = selected.filter {
            $0.key.kind == header.algorithm.keyKind && ($0.algorithm ?? header.algorithm) == header.algorithm
        }
        if usable.isEmpty { throw .algorithmNotOfKey }
        return usable.map(\.key)
    }
}
