import Testing

@testable import Presigning

@Suite struct RedactionTests {
    private static let secret = "wJalrXUtnFEMI-SECRET"
    private static let token = "FwoGZXIvYXdz-TOKEN"

    private func everyText(of value: some Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value) " + String(reflecting: value) + dumped
    }

    private func credentials() throws -> Credentials {
        try Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: Self.secret, sessionToken: Self.token)
    }

    @Test func credentialsHideSecretAndToken() throws {
        let text = everyText(of: try credentials()) + everyText(of: [try credentials().secretAccessKey])
        #expect(!text.contains(Self.secret) && !text.contains(Self.token))
        #expect(text.contains("AKIDEXAMPLE"))
    }

    @Test func urlsHideTheirSignature() throws {
        let bucket = try S3Bucket(S3EndpointOptions(bucket: "media", region: "eu-west-1"))
        var presigner = Presigner()
        let url = try AWSS3StorageGetURLTask(.getObject, key: "a.txt", in: bucket, expiresIn: 60).url(
            with: credentials(), at: SigningTime(secondsSince1970: 1_790_000_000), using: &presigner)
        let text = everyText(of: url)
        #expect(!text.contains("X-Amz-Signature") && !text.contains(Self.token))
        #expect(text.contains("/a.txt"))
    }

    @Test func valuesWithHeadersHideACustomerKey() throws {
        let task = AWSS3StorageGetURLTask(
            .putObject, key: "a.txt", in: try Fixture.bucket(),
            headers: [("x-amz-server-side-encryption-customer-key", Self.secret)])
        let signed = try task.signedParts().headers
        var presigner = Presigner()
        let url = try task.url(with: credentials(), at: Fixture.time, using: &presigner)
        let text =
            everyText(of: task) + everyText(of: signed) + everyText(of: url.headers)
            + everyText(of: presigner) + everyText(of: url)
        #expect(!text.contains(Self.secret))
        #expect(text.contains("x-amz-server-side-encryption-customer-key"))
        #expect(!everyText(of: presigner).contains("bytes"))
    }

    @Test(arguments: [("", "b", nil), ("a", "", nil), ("a", "b\n", nil), ("a", "b", ""), ("a", "b", "c\r")])
    func unusableCredentials(id: String, secret: String, token: String?) throws {
        let error = try #require(throws: StorageError.self) {
            try Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
        }
        #expect(!error.description.contains("b\n"))
    }
}
