/// The signature algorithms of JSON Web Algorithms (RFC 7518 section 3, RFC 8037), without `none`.
package enum SignatureAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"

    package enum Scheme {
        case pkcs1, pss, ecdsa, edDSA, hmac
    }

    /// Creates the algorithm with this name; nil for any other, such as `none` or `rs256`. Names are case-sensitive.
    package init?(name: some Collection<UInt8>) {
        guard let found = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name) }) else { return nil }
        self = found
    }

    /// The only kind of key for this algorithm, so a public key never serves as an HMAC secret (RFC 8725 section 2.1).
    package var keyKind: VerificationKey.Kind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        case .edDSA: .ed25519
        case .hs256, .hs384, .hs512: .secret
        }
    }

    /// The size of the signed digest in bytes.
    package var digestByteCount: Int {
        switch self {
        case .rs256, .ps256, .es256, .hs256: 32
        case .rs384, .ps384, .es384, .hs384: 48
        case .rs512, .ps512, .es512, .hs512, .edDSA: 64
        }
    }

    package var scheme: Scheme {
        switch self {
        case .rs256, .rs384, .rs512: .pkcs1
        case .ps256, .ps384, .ps512: .pss
        case .es256, .es384, .es512: .ecdsa
        case .edDSA: .edDSA
        case .hs256, .hs384, .hs512: .hmac
        }
    }
}
