import Cryptography
import System
import Text

extension IssuerKeys {
    /// Bytes of a file of keys.
    private static let largestFile = 1 << 20
    /// Keys of a PEM file: none has a name, so a bad token costs a verification with each.
    private static let mostUnnamed = 8

    /// Reads an issuer's keys.
    ///
    /// - Parameter read: gives the content of a file.
    init(
        of issuer: TokenIssuerConfiguration, read: (String) throws -> [UInt8]
    ) throws(IssuerKeyFailure) {
        let file = issuer.keys.file
        func failure(_ reason: String) -> IssuerKeyFailure {
            IssuerKeyFailure(issuer: issuer.name, file: file, reason: reason)
        }
        let content: [UInt8]
        do { content = try read(file) } catch { throw failure(ReadableFile.reason(of: error)) }
        guard content.count <= Self.largestFile else { throw failure("is larger than 1 MiB") }
        var notes: [String] = []
        let entries: [Entry]
        do throws(KeySetFailure) {
            switch issuer.keys {
            case .keySet: entries = try KeySet.keys(in: content, for: issuer.algorithms, &notes)
            case .certificates: entries = try KeySet.certificates(in: content, for: issuer.algorithms, &notes)
            case .pem: entries = try Self.pem(content, for: issuer.algorithms)
            case .secret: entries = [try Self.secret(content, for: issuer.algorithms, &notes)]
            }
        } catch {
            throw failure(error.reason)
        }
        let areNamed =
            switch issuer.keys {
            case .keySet, .certificates: true
            case .pem, .secret: false
            }
        self.init(
            entries, areNamed: areNamed, warnings: notes.map { "auth.jwt \(issuer.name): \(file): \($0)" })
    }

    private static func pem(
        _ content: [UInt8], for algorithms: [SignatureAlgorithm]
    ) throws(KeySetFailure) -> [Entry] {
        let keys: [VerificationKey]
        do { keys = try VerificationKey.keys(pem: content) } catch { throw KeySetFailure(reason: error.reason) }
        guard keys.count <= mostUnnamed else {
            throw KeySetFailure(reason: "holds more than \(mostUnnamed) keys; a JWK set has names to choose by")
        }
        for key in keys where !algorithms.contains(where: { $0.keyKind == key.kind }) {
            throw KeySetFailure(reason: "holds a key (\(key.kind.rawValue)) that none of `algorithms` goes with")
        }
        return keys.map { Entry(keyID: nil, algorithm: nil, key: $0) }
    }

    private static func secret(
        _ content: [UInt8], for algorithms: [SignatureAlgorithm], _ notes: inout [String]
    ) throws(KeySetFailure) -> Entry {
        guard !content.starts(with: "-----BEGIN ".utf8) else {
            throw KeySetFailure(reason: "holds a key in PEM, no secret: whoever knows a public key could sign")
        }
        let secret = SecretBytes(withoutLineEnd(content))
        let wanted = algorithms.map(\.digestByteCount).max() ?? 0
        if secret.count >= VerificationKey.shortestSecret, secret.count < wanted {
            notes.append("the secret is shorter than the \(wanted) bytes that RFC 7518 section 3.2 asks for")
        }
        do {
            return Entry(keyID: nil, algorithm: nil, key: try VerificationKey(secret: secret))
        } catch {
            throw KeySetFailure(reason: error.reason)
        }
    }

    /// One line end after a secret of printable ASCII is the editor's and not the secret's; random bytes stay as they are.
    static func withoutLineEnd(_ content: [UInt8]) -> [UInt8] {
        var text = content[...]
        if text.last == 0x0A { text.removeLast() }
        if text.count < content.count, text.last == 0x0D { text.removeLast() }
        return text.allSatisfy(ASCII.isPrintable) ? Array(text) : content
    }
}
