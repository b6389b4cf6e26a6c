import Presigning
import Testing

/// R7: the parameters of every URL, and the lifetime with temporary credentials.
@Suite struct SignatureParameterTests {
    @Test("R7.1 The URL contains algorithm, credential, date, expiry, signed headers and signature")
    func parameters() throws {
        let url = try Fixture.sign(Fixture.request(expires: 900))
        #expect(url.parameter("X-Amz-Algorithm") == "AWS4-HMAC-SHA256")
        #expect(url.parameter("X-Amz-Credential") == "AKIDEXAMPLE%2F20260921%2Feu-west-1%2Fs3%2Faws4_request")
        #expect(url.parameter("X-Amz-Date") == "20260921T141320Z")
        #expect(url.parameter("X-Amz-Expires") == "900")
        #expect(url.parameter("X-Amz-SignedHeaders") == "host")
        #expect(url.parameter("X-Amz-Signature")?.utf8.count == 64)
        #expect(url.parameter("X-Amz-Security-Token") == nil)
    }

    @Test("R7.2 Temporary credentials add their security token to the signed query")
    func securityToken() throws {
        let key = try Fixture.credentials(token: "a+b/c=")
        let url = try Fixture.sign(Fixture.request(), with: key)
        #expect(url.parameter("X-Amz-Security-Token") == "a%2Bb%2Fc%3D")
        #expect(url.admits(method: "GET", headers: [], key: key))
    }

    @Test("R7.3 With transfer acceleration the URL uses the accelerated endpoint")
    func acceleration() throws {
        let options = AWSStorageGetURLOptions(useAccelerateEndpoint: true)
        let url = try Fixture.sign(Fixture.request(options))
        #expect(url.text.hasPrefix("https://media.s3-accelerate.amazonaws.com/public/holiday%20snap.jpg?"))
    }

    @Test("R7.4 A request may turn off the bucket's acceleration, and another bucket keeps the configuration")
    func overrides() throws {
        let bucket = try Fixture.bucket(accelerate: true)
        var presigner = Presigner()
        let hosts = try [nil, true, false].map { accelerate in
            let options = StorageGetURLRequest.Options(
                bucket: "other", pluginOptions: AWSStorageGetURLOptions(useAccelerateEndpoint: accelerate))
            let task = try AWSS3StorageGetURLTask(StorageGetURLRequest(path: "a", options: options), in: bucket)
            let url = try task.url(with: Fixture.credentials(), at: Fixture.time, using: &presigner)
            return String(url.text.split(separator: "/")[1])
        }
        let accelerated = "other.s3-accelerate.amazonaws.com"
        #expect(hosts == [accelerated, accelerated, "other.s3.eu-west-1.amazonaws.com"])
    }

    @Test(
        "R7.5 The expiry is shortened to the remaining life of the credentials, and reported",
        arguments: [1, 899, 900, 901])
    func clamp(secondsLeft: Int) throws {
        let key = try Fixture.credentials(token: "t", secondsLeft: secondsLeft)
        let url = try Fixture.sign(Fixture.request(expires: 900), with: key)
        #expect(url.expiresIn == min(900, secondsLeft))
        #expect(url.parameter("X-Amz-Expires") == "\(url.expiresIn)")
        #expect(url.expiresAt == Fixture.time.advanced(bySeconds: url.expiresIn))
        #expect(url.limitedBy == (secondsLeft < 900 ? .credentials : nil))
    }

    @Test("R7.6 Expired credentials sign nothing", arguments: [0, -1, -100_000])
    func endedCredentials(secondsLeft: Int) throws {
        let key = try Fixture.credentials(token: "t", secondsLeft: secondsLeft)
        let error = try #require(throws: StorageError.self) { try Fixture.sign(Fixture.request(), with: key) }
        guard case .authError(let description, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(!description.isEmpty)
    }
}
