import Cryptography
import Testing
import Text

@testable import Presigning

/// Botocore's signatures, stage by stage, so that a failure names the stage.
@Suite struct VectorTests {
    @Test func readsAllVectors() {
        #expect(Vector.all.count == 342)
    }

    @Test(arguments: Vector.all)
    func stagesMatch(_ vector: Vector) throws {
        let task = try vector.taskFromWire()
        let (headers, query) = try task.signedParts()
        let context = SigningContext(
            credentials: try vector.signer(), endpoint: task.bucket.endpoint, time: try vector.time())
        let hash = task.canonicalRequest(
            headers, query, at: task.bucket.endpoint, in: context, expiresIn: vector.expiresIn
        ).hash
        #expect(hash == SHA256.hash(Array(vector.expected.canonicalRequest.utf8)))
        let stringToSign = context.stringToSign.head + Hexadecimal.encode(hash.bytes).utf8
        #expect(String(decoding: stringToSign, as: UTF8.self) == vector.expected.stringToSign)
        let signature = context.stringToSign.signature(ofHash: hash)
        #expect(Hexadecimal.encode(signature.bytes) == vector.expected.signature)
    }

    @Test(arguments: Vector.all)
    func urlsMatch(_ vector: Vector) throws {
        var presigner = Presigner()
        let url = try vector.taskFromWire().url(with: vector.signer(), at: vector.time(), using: &presigner)
        #expect(url.text.hasSuffix("&X-Amz-Signature=" + vector.expected.signature))
        #expect(url.method == vector.method)
        #expect(ComparableURL(url.text) == ComparableURL(vector.expected.url))
    }
}
