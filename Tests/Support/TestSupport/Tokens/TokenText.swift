import Text

/// Base64url without padding.
package func base64URL(_ bytes: [UInt8]) -> String {
    Base64.encode(bytes, .url)
}

/// One block of a PEM text.
package func pem(_ label: String, _ der: [UInt8]) -> String {
    let base64 = Array(Base64.encode(der))
    let lines = stride(from: 0, to: base64.count, by: 64).map { String(base64[$0..<min($0 + 64, base64.count)]) }
    return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
}

/// The signer of a test's tokens.
package enum TokenSigner: Sendable {
    case key(SigningKey)
    case secret([UInt8])

    /// A complete token.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm used; the header may name another one.
    ///   - header: The header as JSON.
    ///   - claims: The claims as JSON.
    package func token(_ algorithm: String, header: String, claims: String) -> String {
        let input = base64URL(Array(header.utf8)) + "." + base64URL(Array(claims.utf8))
        return input + "." + base64URL(signature(algorithm, over: Array(input.utf8)))
    }

    private func signature(_ algorithm: String, over message: [UInt8]) -> [UInt8] {
        switch self {
        case .key(let key): key.signature(algorithm, over: message)
        case .secret(let secret): messageAuthenticationCode(algorithm, message, secret: secret)
        }
    }
}

extension SigningKey {
    /// The public key as a JWK.
    ///
    /// - Parameter more: Additional members, each preceded by a comma.
    package func jwk(_ more: String = "") -> String {
        switch kind {
        case .rsa: #"{"kty":"RSA","n":"\#(base64URL(number("n")))","e":"\#(base64URL(number("e")))"\#(more)}"#
        case .curve(let curve):
            #"{"kty":"EC","crv":"\#(curve)","x":"\#(coordinate("qx"))","y":"\#(coordinate("qy"))"\#(more)}"#
        case .ed25519: #"{"kty":"OKP","crv":"Ed25519","x":"\#(base64URL(rawPublicKey))"\#(more)}"#
        }
    }

    private func coordinate(_ name: String) -> String {
        let lengths = ["P-256": 32, "P-384": 48, "P-521": 66]
        guard case .curve(let curve) = kind else { return "" }
        return base64URL(number(name, count: lengths[curve]))
    }
}
