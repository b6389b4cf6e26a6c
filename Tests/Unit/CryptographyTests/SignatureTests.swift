import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Cryptography
@testable import Text

@Suite("Signatures")
struct SignatureTests {
    private static let message = Array("header.claims".utf8)
    private static let secret = [UInt8](repeating: 7, count: 64)
    private static let pairs: [(kind: VerificationKey.Kind, pair: SigningKey)] = [
        (.rsa, SigningKey(.rsa(bits: 2048))), (.p256, SigningKey(.curve("P-256"))),
        (.p384, SigningKey(.curve("P-384"))), (.p521, SigningKey(.curve("P-521"))), (.ed25519, SigningKey(.ed25519)),
    ]

    private static func pair(of kind: VerificationKey.Kind) throws -> SigningKey {
        try #require(pairs.first { $0.kind == kind }).pair
    }

    private static func keys() throws -> [VerificationKey] {
        try pairs.map { try VerificationKey(subjectPublicKeyInfo: $0.pair.publicDER) }
            + [VerificationKey(secret: SecretBytes(secret))]
    }

    private static func signature(_ algorithm: SignatureAlgorithm) throws -> [UInt8] {
        algorithm.keyKind == .secret
            ? messageAuthenticationCode(algorithm.rawValue, message, secret: secret)
            : try pair(of: algorithm.keyKind).signature(algorithm.rawValue, over: message)
    }

    private static func verify(
        _ key: VerificationKey, _ algorithm: SignatureAlgorithm, _ signature: [UInt8], _ message: [UInt8] = message
    ) -> Bool {
        key.verify(algorithm, signature: signature.span, message: message.span)
    }

    @Test(
        "Each algorithm verifies only its own signature with its own kind of key",
        arguments: SignatureAlgorithm.allCases)
    func matrix(algorithm: SignatureAlgorithm) throws {
        let signature = try Self.signature(algorithm)
        for key in try Self.keys() {
            for other in SignatureAlgorithm.allCases {
                let isRight = other == algorithm && key.kind == algorithm.keyKind
                #expect(Self.verify(key, other, signature) == isRight, "\(key.kind) \(other)")
            }
        }
    }

    @Test("Any change of the signature or the message is detected", arguments: SignatureAlgorithm.allCases)
    func changes(algorithm: SignatureAlgorithm) throws {
        let signature = try Self.signature(algorithm)
        let key = try #require(try Self.keys().first { $0.kind == algorithm.keyKind })
        #expect(Self.verify(key, algorithm, signature))
        for index in stride(from: 0, to: signature.count, by: 7) {
            var changed = signature
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(!Self.verify(key, algorithm, changed))
        }
        for wrong in [[], Array(signature.dropLast()), signature + [0], [0] + signature, Array(signature.dropFirst())] {
            #expect(!Self.verify(key, algorithm, wrong))
        }
        let zeros = [UInt8](repeating: 0, count: signature.count)
        #expect(!Self.verify(key, algorithm, zeros))
        for message in [[], Self.message + [0], Array(Self.message.dropLast())] {
            #expect(!Self.verify(key, algorithm, signature, message))
        }
    }

    @Test(
        "ECDSA rejects DER encoding and integers out of range", arguments: [SignatureAlgorithm.es256, .es384, .es512])
    func ellipticForms(algorithm: SignatureAlgorithm) throws {
        let key = try #require(try Self.keys().first { $0.kind == algorithm.keyKind })
        let signature = try Self.signature(algorithm)
        let half = signature.count / 2
        let (r, s) = (Array(signature[..<half]), Array(signature[half...]))
        let (zero, ones) = ([UInt8](repeating: 0, count: half), [UInt8](repeating: 0xFF, count: half))
        for (r, s) in [(zero, s), (r, zero), (zero, zero), (ones, s), (r, ones), (s, r)] {
            #expect(!Self.verify(key, algorithm, r + s))
        }
        let der = ECDSASignature.der(signature.span, coordinateByteCount: half) ?? []
        #expect(!der.isEmpty && !Self.verify(key, algorithm, der))
    }

    @Test("PSS requires a salt of the digest's length", arguments: [0, 20, 31, 33])
    func salt(length: Int32) throws {
        let key = try #require(try Self.keys().first { $0.kind == .rsa })
        let pair = try Self.pair(of: .rsa)
        #expect(Self.verify(key, .ps256, pair.signature("PS256", over: Self.message, saltLength: 32)))
        #expect(!Self.verify(key, .ps256, pair.signature("PS256", over: Self.message, saltLength: length)))
    }

    @Test("An RSA signature keeps its leading zeros", arguments: [SignatureAlgorithm.rs256, .ps256])
    func leadingZeros(algorithm: SignatureAlgorithm) throws {
        let key = try #require(try Self.keys().first { $0.kind == .rsa })
        let pair = try Self.pair(of: .rsa)
        // One in 256 signatures begins with a zero byte.
        let found = (0..<10_000).lazy.map { number in
            let message = Array("message \(number)".utf8)
            return (message, pair.signature(algorithm.rawValue, over: message))
        }.first { $1[0] == 0 }
        let (message, signature) = try #require(found)
        #expect(Self.verify(key, algorithm, signature, message))
        #expect(!Self.verify(key, algorithm, Array(signature.dropFirst()), message))
        #expect(!Self.verify(key, algorithm, [0] + signature, message))
    }

    @Test("Ed25519 rejects a signature whose scalar is not reduced")
    func malleability() throws {
        let key = try #require(try Self.keys().first { $0.kind == .ed25519 })
        var signature = try Self.signature(.edDSA)
        // The order of the group, 2^252 + 27742317777372353535851937790883648493, little-endian (RFC 8032 section 5.1).
        let order = try #require(
            Hexadecimal.decode("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010".utf8))
        var carry = 0
        for index in 0..<32 {
            carry += Int(signature[32 + index]) + Int(order[index])
            signature[32 + index] = UInt8(carry & 0xFF)
            carry >>= 8
        }
        #expect(!Self.verify(key, .edDSA, signature))
    }

    @Test(
        "Algorithm names must match exactly",
        arguments: ["none", "None", "NONE", "", "rs256", "RS256 ", "HS1", "ES256K"])
    func names(name: String) {
        #expect(SignatureAlgorithm(name: name.utf8) == nil)
    }

    @Test("One key verifies on many threads at once")
    func threads() throws {
        let keys = try Self.keys()
        let algorithms: [SignatureAlgorithm] = [.rs256, .ps384, .es256, .es512, .edDSA, .hs256]
        let signatures = try algorithms.map { try Self.signature($0) }
        let failures = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for round in 0..<24 {
                let algorithm = algorithms[(round + thread) % algorithms.count]
                guard let key = keys.first(where: { $0.kind == algorithm.keyKind }) else { continue }
                var signature = signatures[(round + thread) % algorithms.count]
                let isGood = round % 3 != 0
                if !isGood { signature[0] ^= 1 }
                if Self.verify(key, algorithm, signature) != isGood { failures.add(1, ordering: .relaxed) }
            }
        }
        #expect(failures.load(ordering: .relaxed) == 0)
    }
}
