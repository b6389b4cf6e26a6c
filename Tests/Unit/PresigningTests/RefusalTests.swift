import Testing

@testable import Presigning

@Suite struct RefusalTests {
    static let fields = [
        "accelerate": "accelerate", "dualstack": "dualstack", "FIPS": "fips", "empty key": "path",
        "empty bucket": "bucket", "bucket": "bucket", "region": "region", "endpoint": "endpoint",
        "metadata": "headers.x-amz-meta-k",
    ]

    @Test func readsAllRefusals() {
        #expect(Refusal.all.count == 17)
    }

    @Test(arguments: Refusal.all)
    func namesTheFieldAndTheFix(_ refusal: Refusal) throws {
        let error = try #require(throws: StorageError.self) { try refusal.sign() }
        guard case .validation(let field, let description, let suggestion) = error else {
            Issue.record("\(error)")
            return
        }
        let wanted = Self.fields.first { refusal.why.hasPrefix($0.key) }?.value
        #expect(field == wanted)
        #expect(!description.isEmpty && !suggestion.isEmpty)
    }

    @Test("A request for transfer acceleration that the bucket does not support names the request's field")
    func acceleratedRequest() throws {
        let bucket = try S3Bucket(
            S3EndpointOptions(bucket: "media", region: "eu-west-1", endpoint: "https://objects.example.com"))
        let error = try #require(throws: StorageError.self) { _ = try bucket.endpoint(accelerated: true) }
        guard case .validation("useAccelerateEndpoint", _, "Leave out useAccelerateEndpoint.") = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(
        "Headers that belong to the signature and malformed headers are rejected",
        arguments: [
            ("Host", "a"), ("X-Amz-Date", "a"), ("x-amz-SIGNATURE", "a"), ("x-amz-security-token", "a"),
            ("X-AMZ-Content-SHA256", "a"), ("connection", "close"), ("x y", "a"), ("", "a"), ("x-amz-m\u{e9}", "a"),
            ("x-amz-meta-a", "b\r\nx-amz-acl: public-read"), ("x-amz-meta-a", "\u{0}"), ("x-amz-meta-a", "\u{7f}"),
            ("x-amz-meta-a", "\u{e9}"),
        ])
    func header(name: String, value: String) {
        #expect(throws: StorageError.self) { try SignedHeaders([(name: name, value: value)]) }
    }

    @Test func rejectsADuplicateHeaderInAnotherCase() {
        let pairs = [(name: "x-amz-acl", value: "private"), (name: "X-Amz-ACL", value: "public-read")]
        #expect(throws: StorageError.self) { try SignedHeaders(pairs) }
    }

    @Test(
        "Parameters that belong to the signature or the operation are rejected",
        arguments: [
            "X-Amz-Signature", "x-amz-signature", "X-AMZ-DATE", "X-Amz-Security-Token", "uploadId", "partNumber", "",
        ])
    func parameter(name: String) {
        let operation = AWSS3SigningOperation.uploadPart(partNumber: 1, uploadId: "u")
        #expect(throws: StorageError.self) { try SignedQuery(operation, extra: [(name: name, value: "1")]) }
    }

    @Test(
        "Multipart fields out of range are rejected",
        arguments: [(0, "u"), (-1, "u"), (10_001, "u"), (1, ""), (1, "u\nv"), (1, "\u{7f}")])
    func multipart(partNumber: Int, uploadId: String) throws {
        let bucket = try S3Bucket(S3EndpointOptions(bucket: "media", region: "eu-west-1"))
        let operation = AWSS3SigningOperation.uploadPart(partNumber: partNumber, uploadId: uploadId)
        #expect(throws: StorageError.self) {
            try AWSS3StorageGetURLTask(operation, key: "a", in: bucket).validate()
        }
    }

    @Test(
        "An endpoint that is not a base URL is rejected",
        arguments: [
            "ftp://a", "https://", "https:///b", "https://u:p@a", "https://a?b", "https://a#b", "https://a:0",
            "https://a:65536", "https://a:", "https://a:8o", "https://a b", "https://[::1", "https://[zz]",
            "https://a/%20", "https://a/../b", "https://a/b/.", "//a", "https//a", "", "https://a..b", "https://-a",
            "http://a\r\nb",
        ])
    func endpoint(text: String) throws {
        let error = try #require(throws: StorageError.self) {
            try S3Endpoint(S3EndpointOptions(bucket: "media", region: "eu-west-1", endpoint: text))
        }
        guard case .validation("endpoint", _, _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("Acceleration with path style, and buckets of other signing services, are rejected")
    func otherCombinations() {
        var options = S3EndpointOptions(bucket: "media", region: "eu-west-1", addressing: .path, accelerate: true)
        #expect(throws: StorageError.self) { try S3Endpoint(options) }
        options = S3EndpointOptions(bucket: "media--usw2-az1--x-s3", region: "us-west-2")
        #expect(throws: StorageError.self) { try S3Endpoint(options) }
        options = S3EndpointOptions(bucket: "arn:aws:s3:us-west-2:123456789012:bucket", region: "us-west-2")
        #expect(throws: StorageError.self) { try S3Endpoint(options) }
        options = S3EndpointOptions(bucket: "media", region: "aws-global")
        #expect(throws: StorageError.self) { try S3Endpoint(options) }
    }
}
