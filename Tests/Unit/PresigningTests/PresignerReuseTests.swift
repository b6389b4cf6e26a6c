import Presigning
import Testing

@Suite struct PresignerReuseTests {
    @Test("A reused presigner signs all vectors in both orders like a new one")
    func sharedState() throws {
        var shared = Presigner()
        let credentials = try Vector.all.map { try $0.signer() }
        for index in Array(Vector.all.indices) + Vector.all.indices.reversed() {
            let vector = Vector.all[index]
            let url = try vector.taskFromWire().url(with: credentials[index], at: vector.time(), using: &shared)
            #expect(url.text.hasSuffix(vector.expected.signature), "\(vector.id)")
        }
    }

    @Test("Reuse across seconds, days and scopes gives the same URLs", arguments: [0, 1, 86_399, 86_400, 31_536_000])
    func timeMovesOn(seconds: Int) throws {
        var shared = Presigner()
        let credentials = try Fixture.credentials(token: "t")
        for region in ["eu-west-1", "us-east-1"] {
            let bucket = try S3Bucket(S3EndpointOptions(bucket: "media", region: region))
            let task = AWSS3StorageGetURLTask(.getObject, key: "a", in: bucket, expiresIn: 60)
            for time in [Fixture.time, Fixture.time.advanced(bySeconds: seconds), Fixture.time] {
                var fresh = Presigner()
                let expected = try task.url(with: credentials, at: time, using: &fresh)
                let url = try task.url(with: credentials, at: time, using: &shared)
                #expect(url.bytes == expected.bytes)
            }
        }
    }

    @Test("More credentials and regions than cached contexts give the same URLs, twice")
    func manyContexts() throws {
        var shared = Presigner()
        for number in Array(0..<12) + Array(0..<12) {
            let bucket = try S3Bucket(S3EndpointOptions(bucket: "media", region: "region-\(number)"))
            let task = AWSS3StorageGetURLTask(.getObject, key: "a", in: bucket, expiresIn: 60)
            var fresh = Presigner()
            let credentials = try Fixture.credentials()
            let url = try task.url(with: credentials, at: Fixture.time, using: &shared)
            #expect(try url.bytes == task.url(with: credentials, at: Fixture.time, using: &fresh).bytes)
        }
    }

    @Test("Parameters that sort before and after the signature's own are in the right order")
    func queryOrder() throws {
        let task = AWSS3StorageGetURLTask(
            .getObject, key: "a", in: try Fixture.bucket(), expiresIn: 60,
            query: ["versionId", "X-Amz", "a-b", "Zz", "a", "A&b", "x-amz-checksum-mode"].map { ($0, "1=&") })
        var presigner = Presigner()
        let url = try task.url(with: Fixture.credentials(), at: Fixture.time, using: &presigner)
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
