import Testing

@testable import Presigning

@Suite("Storages whose limits are known")
struct KnownStorageTests {
    static let hosts: [(endpoint: String?, storage: KnownStorage?)] = [
        (nil, .aws), ("https://s3.eu-west-1.amazonaws.com", .aws), ("https://s3.amazonaws.com", .aws),
        ("https://S3.EU-West-1.AmazonAWS.com:443/base", .aws),
        ("https://media.s3.dualstack.us-east-1.amazonaws.com", .aws),
        ("https://s3-accelerate.amazonaws.com", .aws), ("https://s3-accelerate.dualstack.amazonaws.com", .aws),
        ("https://s3-fips.us-gov-west-1.amazonaws.com", .aws), ("https://s3-eu-west-1.amazonaws.com", .aws),
        ("https://bucket.vpce-1a2b-3c4d.s3.us-east-1.vpce.amazonaws.com", .aws),
        ("https://s3.cn-north-1.amazonaws.com.cn", .aws),
        ("https://s3.eusc-de-east-1.amazonaws.eu", .aws),
        ("https://0123456789abcdef.r2.cloudflarestorage.com", .cloudflareR2),
        ("https://0123456789abcdef.eu.r2.cloudflarestorage.com", .cloudflareR2),
        ("https://0123456789abcdef.r2.cloudflarestorage.com/media", .cloudflareR2),
        ("https://fra1.digitaloceanspaces.com", .digitalOceanSpaces),
        ("https://media.fra1.digitaloceanspaces.com", .digitalOceanSpaces),
        // Others in the same domains, and names that only look alike.
        ("https://ec2-192-0-2-1.compute-1.amazonaws.com:9000", nil),
        ("https://ec2-192-0-2-1.eu-west-1.compute.amazonaws.com", nil),
        ("https://s3-proxy-1.eu-west-1.elb.amazonaws.com", nil), ("https://a.execute-api.eu-west-1.amazonaws.com", nil),
        ("https://amazonaws.com", nil), ("https://1.amazonaws.com", nil), ("https://s3.amazonaws.com.example.com", nil),
        ("https://s3.eu-west-1.notamazonaws.com", nil), ("https://fra1.digitaloceanspaces.com.example", nil),
        ("https://notdigitaloceanspaces.com", nil), ("https://r2.cloudflarestorage.example", nil),
        ("https://files.example.com/s3.amazonaws.com", nil), ("http://127.0.0.1:9000", nil), ("http://[::1]:9000", nil),
        ("http://localhost:9000", nil), ("https://s3.us-west-004.backblazeb2.com", nil),
        ("https://s3.wasabisys.com", nil), ("https://storage.googleapis.com", nil), ("nonsense", nil),
    ]

    @Test("A host tells the service", arguments: hosts)
    func storage(endpoint: String?, storage: KnownStorage?) {
        #expect(KnownStorage(S3EndpointOptions(bucket: "media", region: "us-east-1", endpoint: endpoint)) == storage)
    }

    @Test("10,000 parts of 5 GiB are the largest object")
    func limits() {
        #expect(S3Limits.object == 53_687_091_200_000 && S3Limits.upload == 5_368_709_120)
    }
}
