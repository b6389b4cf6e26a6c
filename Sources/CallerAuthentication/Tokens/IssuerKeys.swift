import Cryptography

/// The keys of one issuer.
struct IssuerKeys: Sendable {
    /// A key and what its set says of it.
    struct Entry: Sendable {
        package let keyID: [UInt8]?
        /// The only algorithm it is for; nil: whatever goes with its kind and the issuer may use.
        package let algorithm: SignatureAlgorithm?
        package let key: VerificationKey
    }

    private let entries: [Entry]
    /// Whether tokens name their key. PEM files and secrets have no names: there each key that fits is tried.
    private let areNamed: Bool
    /// What was left out while reading, and why.
    let warnings: [String]

    init(_ entries: [Entry], areNamed: Bool, warnings: [String]) {
        (self.entries, self.areNamed, self.warnings) = (entries, areNamed, warnings)
    }

    /// The names of the keys, in order; empty when they have none.
    var keyIDs: [[UInt8]] { entries.compactMap(\.keyID) }

    /// The keys that may have signed, one unless they have no names.
    ///
    /// - Throws: when the header names no key of the set, or one that the algorithm is not for. No other key is tried.
    func candidates(for header: TokenHeader) throws(TokenRefusal) -> [VerificationKey] {
        let named: [Entry]
        if !areNamed {
            named = entries
        } else if let keyID = header.keyID {
            named = entries.filter { $0.keyID == keyID }
            if named.isEmpty { throw .unknownKey }
        } else if entries.count == 1 {
            named = entries
        } else {
            throw .keyIDMissing
        }
        let fitting = named.filter {
            $0.key.kind == header.algorithm.keyKind && ($0.algorithm ?? header.algorithm) == header.algorithm
        }
        if fitting.isEmpty { throw .algorithmNotOfKey }
        return fitting.map(\.key)
    }
}
