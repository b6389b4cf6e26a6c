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
        let (request, time) = try (vector.taskFromWire().signingRequest(), vector.time())
        let context = SigningContext(credentials: try vector.signer(), endpoint: request.endpoint, time: time)
        let canonicalRequest = request.canonicalRequest(in: context, expiresIn: vector.expiresIn)
        #expect(String(decoding: canonicalRequest.bytes, as: UTF8.self) == vector.expected.canonicalRequest)
        let stringToSign = context.stringToSign.head + Hexadecimal.encode(canonicalRequest.hash.bytes).utf8
        #expect(String(decoding: stringToSign, as: UTF8.self) == vector.expected.stringToSign)
        let signature = context.stringToSign.signature(ofHash: canonicalRequest.hash)
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
