import Presigning
import Testing

@Suite struct PresignerReuseTests {
    @Test("one presigner signs all vectors, back and forth, as a fresh one does")
    func sharedState() throws {
        var shared = Presigner()
        let credentials = try Vector.all.map { try $0.signer() }
        for index in Array(Vector.all.indices) + Vector.all.indices.reversed() {
            let vector = Vector.all[index]
            let url = try shared.url(
                for: vector.requestFromWire(), expiresIn: vector.expiresIn, with: credentials[index],
                at: vector.time())
            #expect(url.text.hasSuffix(vector.expected.signature), "\(vector.id)")
        }
    }

    @Test("the same credentials over seconds, days and scopes", arguments: [0, 1, 86_399, 86_400, 31_536_000])
    func timeMovesOn(seconds: Int) throws {
        var shared = Presigner()
        let credentials = try Fixture.credentials(token: "t")
        for region in ["eu-west-1", "us-east-1"] {
            let endpoint = try S3Endpoint(S3EndpointOptions(bucket: "media", region: region))
            let request = try SigningRequest(.getObject, key: "a", at: endpoint)
            for time in [Fixture.time, Fixture.time.advanced(bySeconds: seconds), Fixture.time] {
                var fresh = Presigner()
                let expected = try fresh.url(for: request, expiresIn: 60, with: credentials, at: time)
                let url = try shared.url(for: request, expiresIn: 60, with: credentials, at: time)
                #expect(url.bytes == expected.bytes)
            }
        }
    }

    @Test("a URL in the memory of a longer one, or of one that somebody still has, is as good as one in new memory")
    func memory() throws {
        let endpoint = try Fixture.bucket().endpoint
        var (shared, fresh) = (Presigner(), Presigner())
        var held: [[UInt8]] = []
        for key in ["a", "a/longer/key", "b", "a/longer/key"] {
            let request = try SigningRequest(.getObject, key: StoragePath(bytes: Array(key.utf8)), at: endpoint)
            let expected = try fresh.url(for: request, expiresIn: 60, with: Fixture.credentials(), at: Fixture.time)
            let url = try shared.url(for: request, expiresIn: 60, with: Fixture.credentials(), at: Fixture.time)
            #expect(url.bytes == expected.bytes)
            if key != "b" { held.append(url.bytes) }
            shared.reuse(url.bytes)
        }
        #expect(held[1] == held[2] && held[0].count < held[1].count)
    }

    @Test("parameters that sort before and after the signature's own are in their place")
    func queryOrder() throws {
        let request = try SigningRequest(
            .getObject, key: "a", at: Fixture.bucket().endpoint, headers: .none,
            extraQuery: ["versionId", "X-Amz", "a-b", "Zz", "a", "A&b", "x-amz-checksum-mode"].map { ($0, "1=&") })
        var presigner = Presigner()
        let url = try presigner.url(for: request, expiresIn: 60, with: Fixture.credentials(), at: Fixture.time)
        let query = try #require(url.text.split(separator: "?").last)
        let names = query.split(separator: "&").map { $0.prefix { $0 != "=" } }
        #expect(
            names == [
                "A%26b", "X-Amz", "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires",
                "X-Amz-SignedHeaders", "Zz", "a", "a-b", "versionId", "x-amz-checksum-mode", "X-Amz-Signature",
            ])
        #expect(url.admits(method: "GET", headers: [], key: try Fixture.credentials()))
    }
}
