import Cryptography
import Testing

@testable import PresignTools
@testable import Presigning

@Suite("Inspections of a bucket")
struct BucketInspectionTests {
    private static let time = SigningTime(secondsSince1970: 1_369_353_600)

    private static func url(_ inspection: BucketInspection, _ options: S3EndpointOptions) throws -> String {
        let credentials = try Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret")
        var presigner = Presigner()
        let url = try presigner.url(for: inspection, of: S3Bucket(options), with: credentials, at: time)
        #expect(url.method == "GET" && url.expiresIn == ExistenceCheckRules.lifetime)
        return url.text
    }

    @Test(
        "The address is the bucket, or the storage for the list of buckets",
        arguments: [
            (
                S3EndpointOptions(bucket: "media", region: "eu-west-1"), "https://media.s3.eu-west-1.amazonaws.com/?",
                "https://s3.eu-west-1.amazonaws.com/?"
            ),
            (
                S3EndpointOptions(bucket: "media", region: "us-east-1", accelerate: true),
                "https://media.s3-accelerate.amazonaws.com/?", "https://s3.us-east-1.amazonaws.com/?"
            ),
            (
                S3EndpointOptions(bucket: "media", region: "r", endpoint: "http://10.0.0.1:9000"),
                "http://10.0.0.1:9000/media/?", "http://10.0.0.1:9000/?"
            ),
            (
                S3EndpointOptions(bucket: "media", region: "r", endpoint: "https://s3.test/base", addressing: .virtual),
                "https://media.s3.test/base/?", "https://s3.test/base/?"
            ),
        ])
    func address(options: S3EndpointOptions, bucket: String, storage: String) throws {
        #expect(try Self.url(.policy, options).hasPrefix(bucket))
        #expect(try Self.url(.uploads(prefix: "a"), options).hasPrefix(bucket))
        #expect(try Self.url(.buckets, options).hasPrefix(storage))
    }

    @Test("The storage's root is signed for the same host; a bucket's own domain has none")
    func root() throws {
        var options = S3EndpointOptions(
            bucket: "media", region: "r", endpoint: "https://files.example.com/storage",
            signedEndpoint: "https://storage/v1")
        let url = try Self.url(.buckets, options)
        #expect(url.hasPrefix("https://files.example.com/storage/?"))
        let target = "/v1/" + url.dropFirst("https://files.example.com/storage/".count)
        let request = PresignedURLVerifier.Request(
            method: "GET", host: "storage", target: Array(target.utf8), headers: [])
        let secret = SecretBytes(Array("secret".utf8))
        #expect(PresignedURLVerifier().verify(request, at: Self.time) { _ in secret } == .valid)
        options.addressing = .domain
        #expect(throws: StorageError.self) { try Self.url(.buckets, options) }
    }

    @Test(
        "The query selects the operation, and the signature is valid",
        arguments: [
            (BucketInspection.policy, ["policy="]), (.buckets, []),
            (.uploads(prefix: "a b/"), ["encoding-type=url", "prefix=a%20b%2F", "uploads="]),
        ] as [(BucketInspection, [String])])
    func query(inspection: BucketInspection, parameters: [String]) throws {
        let url = try Self.url(inspection, S3EndpointOptions(bucket: "media", region: "r", endpoint: "http://s3.test"))
        let target = url.dropFirst("http://s3.test".count)
        let found = target.drop { $0 != "?" }.dropFirst().split(separator: "&").filter { !$0.hasPrefix("X-Amz-") }
        #expect(found.map(String.init) == parameters)
        let request = PresignedURLVerifier.Request(
            method: "GET", host: "s3.test", target: Array(target.utf8), headers: [])
        let secret = SecretBytes(Array("secret".utf8))
        #expect(PresignedURLVerifier().verify(request, at: Self.time) { _ in secret } == .valid)
    }
}
