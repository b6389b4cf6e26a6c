import Cryptography
import System
import Text

/// The keys of one issuer.
struct IssuerKeys: Sendable {
    /// A key with its attributes in the key set.
    struct Entry: Sendable {
        package let keyID: [UInt8]?
        /// The only algorithm it may be used with; nil for every accepted algorithm of its type.
        package let algorithm: SignatureAlgorithm?
        package let key: VerificationKey

        /// Whether it verifies signatures of this algorithm.
        func fits(_ algorithm: SignatureAlgorithm) -> Bool {
            key.kind == algorithm.keyKind && (self.algorithm ?? algorithm) == algorithm
        }
    }

    private let entries: [Entry]
    /// Whether `kid` selects the key. Keys from PEM files and secrets have no ids, so each key of the type is tried.
    private let areNamed: Bool
    /// The keys that were skipped, and other findings, for the operator.
    let warnings: [String]

    init(_ entries: [Entry], areNamed: Bool, warnings: [String]) {
        (self.entries, self.areNamed, self.warnings) = (entries, areNamed, warnings)
    }

    /// The ids of the keys, each once, in the order of the file; empty if they have none.
    var keyIDs: [[UInt8]] {
        var known: Set<[UInt8]> = []
        return entries.compactMap(\.keyID).filter { known.insert($0).inserted }
    }

    /// The keys to verify a token with: one if keys have ids, else all of the type. A token without an id needs keys with
    /// one id in all, or a single key.
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
        } else if entries.count == 1 || keyIDs.count == 1 && entries.allSatisfy({ $0.keyID != nil }) {
            selected = entries
        } else {
            throw .keyIDMissing
        }
        let usable = selected.filter { $0.fits(header.algorithm) }
        if usable.isEmpty { throw .algorithmNotOfKey }
        // Of several keys with one id, the first one that fits is used.
        return usable.prefix(areNamed ? 1 : usable.count).map(\.key)
    }

    /// The maximum size of a key file in bytes.
    private static let maximumFileSize = 1 << 20
    /// The maximum number of keys in a PEM file. They have no ids, so each of them is tried on every invalid token.
    private static let maximumUnnamedKeys = 8

    /// Loads an issuer's keys from its file; nil if they are fetched.
    ///
    /// - Parameters:
    ///   - issuer: The configuration of the issuer.
    ///   - read: Returns the content of a file.
    init?(
        of issuer: TokenIssuerConfiguration, read: (String) throws -> [UInt8]
    ) throws(KeyFailure) {
        guard case .file(let format, let file) = issuer.keys else { return nil }
        func failure(_ reason: String) -> KeyFailure {
            KeyFailure(setting: "auth.jwt \(issuer.name)", file: file, reason: reason)
        }
        let content: [UInt8]
        do { content = try read(file) } catch { throw failure(ReadableFile.reason(of: error)) }
        guard content.count <= Self.maximumFileSize else {
            throw failure("is larger than 1 MiB; check that it is the key file")
        }
        var notes: [String] = []
        let entries: [Entry]
        do throws(KeySetFailure) {
            switch format {
            case .keySet: entries = try KeySet.keys(in: content, for: issuer.algorithms, &notes)
            case .certificates: entries = try KeySet.certificates(in: content, for: issuer.algorithms, &notes)
            case .pem: entries = try Self.pem(content, for: issuer.algorithms)
            case .secret: entries = [try Self.secret(content, for: issuer.algorithms, &notes)]
            }
        } catch {
            throw failure(error.reason)
        }
        self.init(
            entries, areNamed: format == .keySet || format == .certificates,
            warnings: notes.map { "auth.jwt \(issuer.name): \(file): \($0)" })
    }

    private static func pem(
        _ content: [UInt8], for algorithms: [SignatureAlgorithm]
    ) throws(KeySetFailure) -> [Entry] {
        let keys: [VerificationKey]
        do { keys = try VerificationKey.keys(pem: content) } catch { throw KeySetFailure(reason: error.reason) }
        guard keys.count <= maximumUnnamedKeys else {
            throw KeySetFailure(
                reason: "contains more than \(maximumUnnamedKeys) keys; use a JWK set, whose key ids select the key")
        }
        for key in keys where !algorithms.contains(where: { $0.keyKind == key.kind }) {
            throw KeySetFailure(
                reason: "contains a key (\(key.kind.rawValue)) that none of `algorithms` uses; remove the key, or add "
                    + "an algorithm for it")
        }
        return keys.map { Entry(keyID: nil, algorithm: nil, key: $0) }
    }

    private static func secret(
        _ content: [UInt8], for algorithms: [SignatureAlgorithm], _ notes: inout [String]
    ) throws(KeySetFailure) -> Entry {
        guard !content.starts(with: "-----BEGIN ".utf8) else {
            throw KeySetFailure(
                reason:
                    "contains a PEM key instead of a secret, so anyone with that key could sign tokens; use `pem` for "
                    + "public keys")
        }
        let secret = SecretBytes(withoutLineEnd(content))
        let required = algorithms.map(\.digestByteCount).max() ?? 0
        if secret.count >= VerificationKey.shortestSecret, secret.count < required {
            notes.append(
                "the secret is shorter than the \(required) bytes that RFC 7518 section 3.2 requires; use a longer one")
        }
        do {
            return Entry(keyID: nil, algorithm: nil, key: try VerificationKey(secret: secret))
        } catch {
            throw KeySetFailure(reason: error.reason)
        }
    }

    /// Removes one line break from the end of a secret of printable ASCII, because editors add it. Binary secrets stay
    /// as they are.
    static func withoutLineEnd(_ content: [UInt8]) -> [UInt8] {
        var text = content[...]
        if text.last == 0x0A { text.removeLast() }
        if text.count < content.count, text.last == 0x0D { text.removeLast() }
        return text.allSatisfy(ASCII.isPrintable) ? Array(text) : content
    }
}

/// The reason why the keys of an issuer or the secret of a proxy cannot be used. It contains no key material.
package struct KeyFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The setting, such as `auth.jwt NAME`.
    package let setting: String
    /// The path of the file, or the URL that was fetched.
    package let file: String
    /// What is wrong, and the fix.
    package let reason: String

    /// `SETTING: FILE: REASON`, one line.
    package var description: String { "\(setting): \(file): \(reason)" }
}
