import CryptoHashing

/// The signing keys derived last, so that a key is derived once a day and not for every URL.
///
/// A handful suffices: one event loop signs for a few buckets, regions and credentials at a time.
struct SigningKeyCache: Sendable {
    private static let capacity = 8

    private struct Entry {
        let secret: SecretBytes
        let scope: SigningScope
        let key: SigningKey
    }

    private var entries: [Entry] = []
    private var oldest = 0

    /// The key of a scope, derived unless it is at hand.
    mutating func key(for credentials: Credentials, scope: SigningScope) -> SigningKey {
        for entry in entries where entry.scope == scope && entry.secret.isCopy(of: credentials.secretAccessKey) {
            return entry.key
        }
        let key = SigningKey(secret: credentials.secretAccessKey, scope: scope)
        let entry = Entry(secret: credentials.secretAccessKey, scope: scope, key: key)
        if entries.count < Self.capacity {
            entries.append(entry)
        } else {
            entries[oldest] = entry
            oldest = (oldest + 1) % Self.capacity
        }
        return key
    }
}
