import Foundation
import Presigning
import PresigningTestSupport
import Testing

@testable import SigningVectors

/// One line of `Vectors/endpoints.jsonl`: botocore's signature of what the storage sees.
struct EndpointVector: Decodable, Sendable, CustomTestStringConvertible {
    let id: String, date: String, accessKeyId: String, secretAccessKey: String, bucket: String, region: String
    let endpoint: String, signedEndpoint: String?, addressing: String, operation: String, key: String
    let query: [String: String], headers: [String: String], signature: String

    var testDescription: String { id }

    static let all: [EndpointVector] = Vector.load("endpoints")

    func bucketAndTime() throws -> (S3Bucket, SigningTime) {
        guard let style = S3EndpointOptions.Addressing(rawValue: addressing), let time = SigningTime(rfc3339: date)
        else { throw Unusable(what: id) }
        let options = S3EndpointOptions(
            bucket: bucket, region: region, endpoint: endpoint, signedEndpoint: signedEndpoint, addressing: style)
        return (try S3Bucket(options), time)
    }
}

@Suite("Buckets behind their own domain, and behind proxies")
struct EndpointVectorTests {
    @Test("All vectors are read")
    func count() { #expect(EndpointVector.all.count == 19) }

    @Test(
        "URLs are written with the endpoint and have botocore's signature of what the storage sees",
        arguments: EndpointVector.all)
    func signature(_ vector: EndpointVector) throws {
        let (bucket, time) = try vector.bucketAndTime()
        let operation = try #require(
            vector.operation == "listObjectsV2"
                ? .listObjectsV2(prefix: vector.query["prefix"] ?? "")
                : AWSS3SigningOperation(
                    named: vector.operation, uploadId: vector.query["uploadId"],
                    partNumber: vector.query["partNumber"].flatMap { Int($0) }))
        let task = AWSS3StorageGetURLTask(
            operation, key: .fromString(vector.operation == "listObjectsV2" ? "" : vector.key), in: bucket,
            expiresIn: 3600, headers: vector.headers.map { (name: $0, value: $1) })
        let credentials = try Credentials(accessKeyID: vector.accessKeyId, secretAccessKey: vector.secretAccessKey)
        var presigner = Presigner()
        let url = try task.url(with: credentials, at: time, using: &presigner).text
        #expect(url.hasSuffix("&X-Amz-Signature=" + vector.signature), "\(url)")
        let written = vector.endpoint.lowercased().replacing(":80/", with: "/")
        let base = written.hasSuffix(":80") ? String(written.dropLast(3)) : written
        let host = vector.addressing == "virtual" ? base.replacing("://", with: "://media.") : base
        let start = host.hasSuffix("/") ? host : host + "/"
        #expect(url.hasPrefix(start + (vector.addressing == "auto" ? "media/" : "")), "\(url)")
        #expect(!url.dropFirst(start.count).hasPrefix("media/") || vector.addressing == "auto")
    }

    @Test("A form is written with the endpoint of URLs")
    func form() throws {
        for (options, action) in [
            (
                S3EndpointOptions(
                    bucket: "media", region: "r", endpoint: "https://files.example.com/storage",
                    signedEndpoint: "https://storage"), "https://files.example.com/storage/media"
            ),
            (
                S3EndpointOptions(
                    bucket: "media", region: "r", endpoint: "https://files.example.com", addressing: .domain),
                "https://files.example.com/"
            ),
        ] {
            let policy = PostPolicy(key: "a", in: try S3Bucket(options), contentLength: 0...9)
            var presigner = Presigner()
            let form = try policy.form(with: Fixture.credentials(), at: Fixture.time, using: &presigner)
            #expect(form.action.text == action)
        }
    }

    @Test(
        "Options that contradict each other are refused by name",
        arguments: [
            (S3EndpointOptions(bucket: "media", region: "eu-west-1", addressing: .domain), "addressing"),
            (S3EndpointOptions(bucket: "media", region: "eu-west-1", signedEndpoint: "https://s"), "signedEndpoint"),
            (
                S3EndpointOptions(bucket: "media", region: "eu-west-1", signedEndpoint: "https://s", accelerate: true),
                "signedEndpoint"
            ),
            (
                S3EndpointOptions(bucket: "media", region: "r", endpoint: "https://f", signedEndpoint: "http://s"),
                "signedEndpoint"
            ),
            (
                S3EndpointOptions(bucket: "media", region: "r", endpoint: "https://f", signedEndpoint: "https://s?a"),
                "signedEndpoint"
            ),
            (
                S3EndpointOptions(
                    bucket: "media", region: "r", endpoint: "https://f", signedEndpoint: "https://s", accelerate: true),
                "accelerate"
            ),
            (
                S3EndpointOptions(
                    bucket: "media", region: "r", endpoint: "https://f.example.com", addressing: .domain,
                    accelerate: true), "accelerate"
            ),
        ])
    func contradictions(options: S3EndpointOptions, field: String) {
        #expect {
            try S3Bucket(options)
        } throws: {
            guard case .validation(let found, _, _)? = $0 as? StorageError else { return false }
            return found == field
        }
    }

    @Test("A bucket's own domain is not that of another bucket")
    func otherBucket() throws {
        let options = S3EndpointOptions(bucket: "media", region: "r", endpoint: "https://f", addressing: .domain)
        let bucket = try S3Bucket(options)
        #expect(try bucket.named("media").name == "media")
        #expect(throws: StorageError.self) { try bucket.named("other") }
    }
}
