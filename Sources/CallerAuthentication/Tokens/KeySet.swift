import Cryptography
import DataFormats
import Text

/// The reason why a key file is unusable, a clause whose subject is the file.
struct KeySetFailure: Error {
    let reason: String
}

/// Reads sets of named public keys. An unusable key is skipped with a note, because providers also publish encryption
/// keys and keys of new types.
enum KeySet {
    private static let limits = JSONLimits(size: 1 << 20)
    /// The maximum number of keys in a set, used or not. The largest known sets have about 20.
    private static let maximumKeys = 100

    /// A JWK set (RFC 7517 section 5).
    static func keys(
        in json: [UInt8], for algorithms: [SignatureAlgorithm], _ notes: inout [String]
    ) throws(KeySetFailure) -> [IssuerKeys.Entry] {
        guard case .array(let items) = try value(json, limits)["keys"] else {
            throw KeySetFailure(reason: "is not a JWK set: the list `keys` is missing")
        }
        var candidates: [Candidate] = []
        for item in items {
            let key = JSONWebKey(item)
            if key.isPrivate {
                throw KeySetFailure(
                    reason: "contains a private key; keep only the public keys, and replace the exposed key")
            }
            candidates.append((item["kid"]?.string, { () throws(KeyRefusal) in try key.entry() }))
        }
        return try usable(candidates, for: algorithms, &notes)
    }

    /// A JSON object from key ids to PEM certificates, as `https://www.googleapis.com/robot/v1/metadata/x509/` serves.
    static func certificates(
        in json: [UInt8], for algorithms: [SignatureAlgorithm], _ notes: inout [String]
    ) throws(KeySetFailure) -> [IssuerKeys.Entry] {
        guard case .object(let members) = try value(json, limits) else {
            throw KeySetFailure(reason: "must be a JSON object from key ids to PEM certificates")
        }
        let candidates: [Candidate] = members.map { member in
            (
                member.name,
                { () throws(KeyRefusal) in
                    let keys = try VerificationKey.keys(pem: member.value.string ?? [])
                    guard let key = keys.first, keys.count == 1 else { throw .several }
                    return IssuerKeys.Entry(keyID: member.name, algorithm: nil, key: key)
                }
            )
        }
        return try usable(candidates, for: algorithms, &notes)
    }

    private typealias Candidate = (keyID: [UInt8]?, entry: () throws(KeyRefusal) -> IssuerKeys.Entry)

    /// Parses JSON of an issuer.
    static func value(_ json: [UInt8], _ limits: JSONLimits) throws(KeySetFailure) -> JSONValue {
        do {
            return try JSONValue(parsing: json, limits: limits)
        } catch {
            throw KeySetFailure(reason: "is not valid JSON: \(error)")
        }
    }

    private static func usable(
        _ candidates: [Candidate], for algorithms: [SignatureAlgorithm], _ notes: inout [String]
    ) throws(KeySetFailure) -> [IssuerKeys.Entry] {
        guard candidates.count <= maximumKeys else {
            throw KeySetFailure(reason: "contains more than \(maximumKeys) keys; check that it is the key set")
        }
        var entries: [IssuerKeys.Entry] = []
        for (keyID, makeEntry) in candidates {
            do throws(KeyRefusal) {
                let entry = try makeEntry()
                if let algorithm = entry.algorithm, algorithm.keyKind != entry.key.kind { throw .algorithmOfOtherKind }
                guard algorithms.contains(where: entry.fits) else { throw .algorithmNotConfigured }
                // Providers publish one key several times, with an alg each, and keys of several types under one kid.
                let namesakes = entries.filter { keyID != nil && $0.keyID == keyID }
                let taken = algorithms.filter { algorithm in
                    entry.fits(algorithm) && namesakes.contains { $0.fits(algorithm) }
                }
                guard algorithms.contains(where: { entry.fits($0) && !taken.contains($0) }) else {
                    throw .repeatedKeyID
                }
                entries.append(entry)
                if !taken.isEmpty {
                    let names = taken.map(\.rawValue).joined(separator: ", ")
                    notes.append("the key \(printable(keyID)) is not used for \(names): \(KeyRefusal.repeatedKeyID)")
                }
            } catch {
                notes.append("the key \(printable(keyID)) is not used: \(error.reason)")
            }
        }
        if entries.isEmpty {
            throw KeySetFailure(reason: (["contains no usable key"] + notes).joined(separator: "; "))
        }
        if entries.count > 1, entries.contains(where: { $0.keyID == nil }) {
            notes.append("a key without kid is never used, because there are several keys; add a kid")
        }
        return entries
    }

    /// A key id for a log or a terminal: truncated, with `?` for control characters.
    private static func printable(_ keyID: [UInt8]?) -> String {
        guard let keyID else { return "without kid" }
        let visible = keyID.prefix(64).map { ASCII.isVisible($0) && $0 != UInt8(ascii: "\"") ? $0 : UInt8(ascii: "?") }
        return "\"\(String(decoding: visible, as: UTF8.self))\""
    }
}

extension KeyRefusal {
    fileprivate static let several = KeyRefusal("it must be exactly one certificate")
    fileprivate static let repeatedKeyID = KeyRefusal("an earlier key with the same kid is used")
    fileprivate static let algorithmOfOtherKind = KeyRefusal("its alg does not match its key type")
    fileprivate static let algorithmNotConfigured = KeyRefusal("none of the configured `algorithms` uses it")

    fileprivate static let notAnObject = KeyRefusal("it is not a JSON object")
    fileprivate static let keyIDNotString = KeyRefusal("its kid is not a string")
    fileprivate static let useNotString = KeyRefusal("its use is not a string")
    fileprivate static let notForSignatures = KeyRefusal("it is not for verifying signatures (use, key_ops)")
    fileprivate static let unknownAlgorithm = KeyRefusal("its alg is not a supported signature algorithm")
    fileprivate static let secret = KeyRefusal("it is a shared secret (oct); configure it with `secretFile`")
    fileprivate static let unknownKind = KeyRefusal("its kty and crv must be RSA, P-256, P-384, P-521 or Ed25519")
    fileprivate static let badNumber = KeyRefusal("one of its numbers is missing or not canonical base64url")
}

/// One key of a JWK set (RFC 7517 section 4).
struct JSONWebKey {
    private let json: JSONValue

    init(_ json: JSONValue) {
        self.json = json
    }

    /// Whether it contains private parameters (RFC 7518 sections 6.2.2 and 6.3.2). Shared secrets (`oct`) do not count;
    /// they are skipped as unusable.
    var isPrivate: Bool {
        ["d", "p", "q", "dp", "dq", "qi", "oth"].contains { json[$0] != nil }
    }

    /// The key for verifying signatures.
    func entry() throws(KeyRefusal) -> IssuerKeys.Entry {
        guard case .object = json else { throw .notAnObject }
        let keyID = try json.text("kid", else: KeyRefusal.keyIDNotString)
        if let use = try json.text("use", else: KeyRefusal.useNotString) {
            guard use.elementsEqual("sig".utf8) else { throw .notForSignatures }
        }
        if let operations = json["key_ops"] {
            guard case .array(let items) = operations,
                items.contains(where: { $0.string?.elementsEqual("verify".utf8) ?? false })
            else { throw .notForSignatures }
        }
        var algorithm: SignatureAlgorithm?
        if let name = try json.text("alg", else: KeyRefusal.unknownAlgorithm) {
            guard let known = SignatureAlgorithm(name: name) else { throw .unknownAlgorithm }
            algorithm = known
        }
        return IssuerKeys.Entry(keyID: keyID, algorithm: algorithm, key: try key())
    }

    private func key() throws(KeyRefusal) -> VerificationKey {
        let kind = String(decoding: json["kty"]?.string ?? [], as: UTF8.self)
        let curve = String(decoding: json["crv"]?.string ?? [], as: UTF8.self)
        switch (kind, curve) {
        case ("RSA", _): return try VerificationKey(rsaModulus: try bytes("n"), exponent: try bytes("e"))
        case ("EC", "P-256"): return try VerificationKey(curve: .p256, x: try bytes("x"), y: try bytes("y"))
        case ("EC", "P-384"): return try VerificationKey(curve: .p384, x: try bytes("x"), y: try bytes("y"))
        case ("EC", "P-521"): return try VerificationKey(curve: .p521, x: try bytes("x"), y: try bytes("y"))
        case ("OKP", "Ed25519"): return try VerificationKey(ed25519: try bytes("x"))
        case ("oct", _): throw .secret
        default: throw .unknownKind
        }
    }

    private func bytes(_ name: String) throws(KeyRefusal) -> [UInt8] {
        guard let text = json[name]?.string, let bytes = Base64.decode(text.span, .url) else { throw .badNumber }
        return bytes
    }
}
