import Cryptography
import DataFormats
import Text

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
        let keyID = try text("kid", else: .keyIDNotString)
        if let use = try text("use", else: .useNotString) {
            guard use.elementsEqual("sig".utf8) else { throw .notForSignatures }
        }
        if let operations = json["key_ops"] {
            guard case .array(let items) = operations,
                items.contains(where: { $0.string?.elementsEqual("verify".utf8) ?? false })
            else { throw .notForSignatures }
        }
        var algorithm: SignatureAlgorithm?
        if let name = try text("alg", else: .unknownAlgorithm) {
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

    private func text(_ name: String, else refusal: KeyRefusal) throws(KeyRefusal) -> [UInt8]? {
        guard let value = json[name] else { return nil }
        guard let text = value.string else { throw refusal }
        return text
    }
}

extension KeyRefusal {
    fileprivate static let notAnObject = KeyRefusal("it is not a JSON object")
    fileprivate static let keyIDNotString = KeyRefusal("its kid is not a string")
    fileprivate static let useNotString = KeyRefusal("its use is not a string")
    fileprivate static let notForSignatures = KeyRefusal("it is not for verifying signatures (use, key_ops)")
    fileprivate static let unknownAlgorithm = KeyRefusal("its alg is not a supported signature algorithm")
    fileprivate static let secret = KeyRefusal("it is a shared secret (oct); configure it with `secretFile`")
    fileprivate static let unknownKind = KeyRefusal("its kty and crv must be RSA, P-256, P-384, P-521 or Ed25519")
    fileprivate static let badNumber = KeyRefusal("one of its numbers is missing or not canonical base64url")
}
