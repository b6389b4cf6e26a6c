import Testing

@testable import Presigning

/// Botocore's signatures, each stage by itself, so that a failure names the stage.
@Suite struct VectorTests {
    @Test func allVectorsAreThere() {
        #expect(Vector.all.count == 342)
    }

    @Test(arguments: Vector.all)
    func stagesMatch(_ vector: Vector) throws {
        var presigner = Presigner()
        let url = try presigner.url(
            for: vector.requestFromWire(), expiresIn: vector.expiresIn, with: vector.signer(), at: vector.time())
        #expect(String(decoding: presigner.canonicalRequest.bytes, as: UTF8.self) == vector.expected.canonicalRequest)
        #expect(String(decoding: presigner.stringToSign.bytes, as: UTF8.self) == vector.expected.stringToSign)
        #expect(url.text.hasSuffix("&X-Amz-Signature=" + vector.expected.signature))
        #expect(url.method == vector.method)
        #expect(ComparableURL(url.text) == ComparableURL(vector.expected.url))
    }
}
