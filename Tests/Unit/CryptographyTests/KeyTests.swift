import TestSupport
import Testing

@testable import Cryptography
@testable import Text

@Suite("Verification keys")
struct KeyTests {
    private static let rsa = SigningKey(.rsa(bits: 2048))
    private static let p256 = SigningKey(.curve("P-256"))

    private static func refusal(_ make: () throws -> VerificationKey) -> String? {
        do {
            _ = try make()
            return nil
        } catch {
            return (error as? KeyRefusal)?.reason ?? "\(error)"
        }
    }

    @Test("An RSA key needs a long modulus and an odd exponent that is not too small")
    func rsa() throws {
        let modulus = Self.rsa.number("n")
        #expect(try VerificationKey(rsaModulus: modulus, exponent: [1, 0, 1]).kind == .rsa)
        #expect(try VerificationKey(rsaModulus: [0, 0] + modulus, exponent: [0, 1, 0, 1]).kind == .rsa)
        for exponent: [UInt8] in [[], [0], [1], [3], [17], [0xFF, 0xFF], [1, 0, 0], Array(repeating: 0xFF, count: 9)] {
            let refusal = Self.refusal { try VerificationKey(rsaModulus: modulus, exponent: exponent) }
            #expect(refusal?.contains("exponent") == true || refusal?.contains("read") == true, "\(exponent)")
        }
        let short = SigningKey(.rsa(bits: 1024)).number("n")
        #expect(Self.refusal { try VerificationKey(rsaModulus: short, exponent: [1, 0, 1]) }?.contains("2048") == true)
        let long = [UInt8](repeating: 0xFF, count: 1024) + [1]
        #expect(Self.refusal { try VerificationKey(rsaModulus: long, exponent: [1, 0, 1]) }?.contains("long") == true)
        var even = modulus
        even[even.count - 1] &= 0xFE
        #expect(Self.refusal { try VerificationKey(rsaModulus: even, exponent: [1, 0, 1]) } == "the key is not valid")
        #expect(Self.refusal { try VerificationKey(rsaModulus: [], exponent: [1, 0, 1]) } != nil)
    }

    @Test("A point must lie on its curve and have coordinates of the right length")
    func points() throws {
        let (x, y) = (Self.p256.number("qx", count: 32), Self.p256.number("qy", count: 32))
        #expect(try VerificationKey(curve: .p256, x: x, y: y).kind == .p256)
        var off = y
        off[31] ^= 1
        let zero = [UInt8](repeating: 0, count: 32)
        for (x, y) in [(x, off), (y, x), (zero, zero), (x, zero), ([UInt8](repeating: 0xFF, count: 32), y)] {
            #expect(Self.refusal { try VerificationKey(curve: .p256, x: x, y: y) } != nil)
        }
        for (x, y) in [([0] + x, y), (Array(x.dropLast()), y), (x, []), (x + [0], y)] {
            let refusal = Self.refusal { try VerificationKey(curve: .p256, x: x, y: y) }
            #expect(refusal?.contains("length") == true)
        }
        #expect(Self.refusal { try VerificationKey(curve: .p384, x: x, y: y) }?.contains("length") == true)
        #expect(Self.refusal { try VerificationKey(curve: .rsa, x: x, y: y) }?.contains("curve") == true)
    }

    @Test("Ed25519 points of small order and non-canonical encodings are rejected")
    func edwards() throws {
        let key = SigningKey(.ed25519).rawPublicKey
        #expect(try VerificationKey(ed25519: key).kind == .ed25519)
        var weak: [[UInt8]] = [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31)]
        // -1, and 0 to 18 encoded as values above the prime.
        weak += (0xEC...0xFF).map { [UInt8($0)] + [UInt8](repeating: 0xFF, count: 30) + [0x7F] }
        weak += ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"].compactMap {
            Hexadecimal.decode($0.utf8)
        }
        for point in weak {
            var negative = point
            negative[31] |= 0x80
            for point in [point, negative] {
                #expect(Self.refusal { try VerificationKey(ed25519: point) }?.contains("order") == true, "\(point)")
            }
        }
        for count in [0, 31, 33] {
            #expect(Self.refusal { try VerificationKey(ed25519: Array(repeating: 7, count: count)) } != nil)
        }
    }

    @Test("A secret has at least 32 bytes and is not printed")
    func secrets() throws {
        let secret = [UInt8](repeating: UInt8(ascii: "s"), count: 32)
        let key = try VerificationKey(secret: SecretBytes(secret))
        #expect(key.kind == .secret && !"\(key)".contains("sss") && !String(reflecting: key).contains("115, 115"))
        #expect(Self.refusal { try VerificationKey(secret: SecretBytes(Array(secret.dropLast()))) } != nil)
    }

    @Test("PEM files may hold several public keys and certificates, other text, and any line breaks")
    func pemFiles() throws {
        let (first, second) = (pem("PUBLIC KEY", Self.rsa.publicDER), pem("CERTIFICATE", Self.p256.certificateDER))
        let edwards = pem("CERTIFICATE", SigningKey(.ed25519).certificateDER)
        let carriageReturns = second.replacing("\n", with: "\r\n")
        let text = "subject=x\n" + first + "\n" + carriageReturns + edwards
        #expect(try VerificationKey.keys(pem: Array(text.utf8)).map(\.kind) == [.rsa, .p256, .ed25519])
    }

    static let badPEM: [(String, String)] = {
        let der = rsa.publicDER
        let good = pem("PUBLIC KEY", der)
        return [
            ("", "no PEM block"), ("no key", "no PEM block"), (pem("PUBLIC KEY", []), "DER"),
            (pem("PUBLIC KEY", der + [0]), "DER"), (pem("PUBLIC KEY", Array(der.dropLast())), "DER"),
            (pem("CERTIFICATE", der), "certificate"), (pem("PUBLIC KEY", p256.certificateDER), "public key"),
            (pem("PRIVATE KEY", p256.privateDER), "private key"), (pem("EC PRIVATE KEY", [1]), "private key"),
            (pem("ENCRYPTED PRIVATE KEY", [1]), "private key"), (good + pem("PRIVATE KEY", [1]), "private key"),
            (pem("RSA PUBLIC KEY", der), "neither"), (pem("X509 CRL", der), "neither"),
            (good.replacing("-----END PUBLIC KEY-----", with: ""), "does not end"),
            (good.replacing("-----END PUBLIC", with: "-----END OTHER"), "damaged"),
            (good.replacing("MII", with: "M!I"), "damaged"), ("-----BEGIN PUBLIC KEY-----\n" + good, "begins within"),
            (pem("PUBLIC KEY", SigningKey(.rsa(bits: 1024)).publicDER), "2048"),
            (pem("CERTIFICATE", SigningKey(.rsa(bits: 1024)).certificateDER), "2048"),
            (pem("PUBLIC KEY", SigningKey(.rsa(bits: 2048, exponent: 3)).publicDER), "exponent"),
            (pem("PUBLIC KEY", SigningKey(.curve("secp256k1")).publicDER), "P-256"),
            (pem("PUBLIC KEY", SigningKey(.curve("brainpoolP256r1")).publicDER), "P-256"),
            (pem("PUBLIC KEY", spelledOut), "named"),
        ]
    }()

    /// A P-256 key with explicit curve parameters (RFC 3279 section 2.3.5) instead of the curve's name.
    private static let spelledOut: [UInt8] = {
        func number(_ hexadecimal: String) -> [UInt8] { Hexadecimal.decode(hexadecimal.utf8) ?? [] }
        let prime = number("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        let a = number("ffffffff00000001000000000000000000000000fffffffffffffffffffffffc")
        let b = number("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b")
        let generator = number(
            "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
                + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5")
        let order = number("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        let field = DER.element(0x30, number("06072a8648ce3d0101") + DER.unsigned(prime))
        let curve = DER.element(0x30, DER.element(0x04, a) + DER.element(0x04, b))
        let parameters = DER.element(
            0x30,
            DER.unsigned([1]) + field + curve + DER.element(0x04, generator) + DER.unsigned(order) + DER.unsigned([1]))
        let point = [0x04] + p256.number("qx", count: 32) + p256.number("qy", count: 32)
        return DER.element(
            0x30, DER.element(0x30, number("06072a8648ce3d0201") + parameters) + DER.element(0x03, [0] + point))
    }()

    @Test("Invalid PEM is rejected", arguments: badPEM)
    func refusedPEM(text: String, reason: String) {
        let refusal = Self.refusal { try VerificationKey.keys(pem: Array(text.utf8))[0] }
        #expect(refusal?.contains(reason) == true, "\(refusal ?? "taken"): \(text)")
    }
}
