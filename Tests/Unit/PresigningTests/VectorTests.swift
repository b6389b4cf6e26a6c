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
        let (request, time) = try (vector.requestFromWire(), vector.time())
        let url = try presigner.url(for: request, expiresIn: vector.expiresIn, with: vector.signer(), at: time)
        // The text ends where its padding begins.
        let canonicalRequest = Array(vector.expected.canonicalRequest.utf8) + [0x80]
        #expect(presigner.canonicalRequest.memory.starts(with: canonicalRequest))
        let endpoint = request.endpoint.parts
        let scope = SigningScope(dayNumber: time.dayNumber, region: endpoint.region, service: endpoint.service)
        let head = String(decoding: StringToSign.head(scope: scope, time: time), as: UTF8.self)
        #expect(vector.expected.stringToSign.dropLast(64) == head)
        #expect(url.text.hasSuffix("&X-Amz-Signature=" + vector.expected.signature))
        #expect(url.method == vector.method)
        #expect(ComparableURL(url.text) == ComparableURL(vector.expected.url))
    }
}
