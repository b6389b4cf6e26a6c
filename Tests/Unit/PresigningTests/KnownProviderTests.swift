import Testing

@testable import Presigning

@Suite("Providers that hosts tell")
struct KnownProviderTests {
    private static func options(
        _ endpoint: String, _ addressing: S3EndpointOptions.Addressing = .auto, bucket: String = "acme-media"
    ) -> S3EndpointOptions {
        S3EndpointOptions(bucket: bucket, region: "auto", endpoint: endpoint, addressing: addressing)
    }

    private static let account = "0123456789abcdef0123456789abcdef"

    @Test(
        "They are refused at hosts of known form, with the endpoint to use",
        arguments: [
            ("https://abc123.r2.cloudflarestorage.com/acme-media", "https://abc123.r2.cloudflarestorage.com"),
            ("https://abc123.eu.r2.cloudflarestorage.com/acme-media/", "https://abc123.eu.r2.cloudflarestorage.com"),
            ("https://acme-media.abc123.r2.cloudflarestorage.com", "https://abc123.r2.cloudflarestorage.com"),
            (
                "https://acme-media.\(account).jp.r2.cloudflarestorage.com",
                "https://\(account).jp.r2.cloudflarestorage.com"
            ),
            ("https://acme-media.nyc3.digitaloceanspaces.com", "https://nyc3.digitaloceanspaces.com"),
            ("https://ACME-Media.NYC3.digitaloceanspaces.com:443", "https://nyc3.digitaloceanspaces.com"),
            ("https://acme-media.nyc3.cdn.digitaloceanspaces.com", "https://nyc3.digitaloceanspaces.com"),
            ("https://nyc3.digitaloceanspaces.com/acme-media", "https://nyc3.digitaloceanspaces.com"),
            ("https://acme-media.s3.eu-west-1.amazonaws.com", "https://s3.eu-west-1.amazonaws.com"),
            ("http://my.acme.media.s3.amazonaws.com:8080", "http://s3.amazonaws.com:8080"),
            ("https://s3.eu-west-1.amazonaws.com/acme-media", "https://s3.eu-west-1.amazonaws.com"),
            ("https://s3.acme.s3-eu-west-1.amazonaws.com", "https://s3-eu-west-1.amazonaws.com"),
            ("https://acme-media.s3.dualstack.eu-west-1.amazonaws.com", "https://s3.dualstack.eu-west-1.amazonaws.com"),
            ("https://acme-media.s3-fips.us-east-1.amazonaws.com", "https://s3-fips.us-east-1.amazonaws.com"),
            ("https://acme-media.s3-accelerate.amazonaws.com", "https://s3-accelerate.amazonaws.com"),
            ("https://acme-media.s3.cn-north-1.amazonaws.com.cn", "https://s3.cn-north-1.amazonaws.com.cn"),
            (
                "https://acme-media.bucket.vpce-1a-2b.s3.eu-west-1.vpce.amazonaws.com",
                "https://bucket.vpce-1a-2b.s3.eu-west-1.vpce.amazonaws.com"
            ),
            (
                "https://acme-media.vpce-1a.s3.eu-west-1.vpce.amazonaws.com",
                "https://bucket.vpce-1a.s3.eu-west-1.vpce.amazonaws.com"
            ),
            (
                "https://bucket.acme-media.vpce-1a.s3.eu-west-1.vpce.amazonaws.com",
                "https://bucket.vpce-1a.s3.eu-west-1.vpce.amazonaws.com"
            ),
            (
                "http://vpce-1a.s3.eu-west-1.vpce.amazonaws.com:8080/acme-media",
                "http://bucket.vpce-1a.s3.eu-west-1.vpce.amazonaws.com:8080"
            ),
            (
                "https://acme-123456789012.accesspoint.vpce-1a.s3.eu-west-1.vpce.amazonaws.com",
                "https://accesspoint.vpce-1a.s3.eu-west-1.vpce.amazonaws.com"
            ),
            ("https://acme.vpce-media.s3.eu-west-1.amazonaws.com", "https://s3.eu-west-1.amazonaws.com"),
            ("https://vpce-media.s3.eu-west-1.amazonaws.com", "https://s3.eu-west-1.amazonaws.com"),
        ])
    func refused(endpoint: String, use: String) throws {
        for addressing in [S3EndpointOptions.Addressing.auto, .path, .virtual] {
            #expect {
                try S3Endpoint(Self.options(endpoint, addressing))
            } throws: {
                guard case .validation("endpoint", _, let suggestion)? = $0 as? StorageError else { return false }
                return suggestion.contains("Use \(use), or")
            }
        }
        #expect(try S3Endpoint(Self.options(endpoint, .domain)).addressingStyle == .domain)
        #expect(try S3Endpoint(Self.options(use)).addressingStyle == .path)
        #expect(try !S3Endpoint(Self.options(use)).repeatsBucket)
    }

    @Test(
        "Hosts to which no bucket can be added are refused without advice of an endpoint that does not exist",
        arguments: [
            ("https://media-123456789012.s3-accesspoint.eu-west-1.amazonaws.com", domainOnly),
            ("https://media-123456789012.s3-accesspoint-fips.dualstack.us-east-1.amazonaws.com", domainOnly),
            ("https://alias.mrap.accesspoint.s3-global.amazonaws.com", domainOnly),
            ("https://media-123456789012.s3-object-lambda.eu-west-1.amazonaws.com", domainOnly),
            ("https://media-123456789012.op-1a.s3-outposts.eu-west-1.amazonaws.com", domainOnly),
            ("http://acme-media.s3-website-eu-west-1.amazonaws.com", "Use https://s3.eu-west-1.amazonaws.com."),
            ("http://acme-media.s3-website.eu-north-1.amazonaws.com/a", "Use https://s3.eu-north-1.amazonaws.com."),
            ("http://s3-website.cn-north-1.amazonaws.com.cn", "Use https://s3.cn-north-1.amazonaws.com.cn."),
        ])
    func withoutEndpoint(endpoint: String, fix: String) throws {
        for addressing in [S3EndpointOptions.Addressing.auto, .path, .virtual] {
            #expect {
                try S3Endpoint(Self.options(endpoint, addressing))
            } throws: {
                guard case .validation("endpoint", let reason, let suggestion)? = $0 as? StorageError else {
                    return false
                }
                return suggestion == fix && reason.contains("signed requests") == (fix != Self.domainOnly)
            }
        }
        #expect(try S3Endpoint(Self.options(endpoint, .domain)).addressingStyle == .domain)
    }

    private static let domainOnly = "Use addressing: domain, which adds no bucket."

    @Test(
        "Other hosts of these providers are endpoints",
        arguments: [
            "https://abc123.fedramp.r2.cloudflarestorage.com", "https://\(account).jp.r2.cloudflarestorage.com",
            "https://api.eu-west-1.amazonaws.com/prod", "https://lb-1.eu-west-1.elb.amazonaws.com/s3",
            "https://accesspoint.vpce-1a-2b.s3.eu-west-1.vpce.amazonaws.com",
            "https://control.vpce-1a-2b.s3.eu-west-1.vpce.amazonaws.com",
            "https://s3-accesspoint.eu-west-1.amazonaws.com", "https://xr2.cloudflarestorage.com/a",
            "https://r2.cloudflarestorage.com.example/a", "https://digitaloceanspaces.com.example/b",
        ])
    func accepted(endpoint: String) throws { #expect(throws: Never.self) { try S3Endpoint(Self.options(endpoint)) } }

    @Test(
        "Elsewhere a host or path with the bucket is noticed",
        arguments: [
            ("https://s3.example.com/acme-media", true), ("https://s3.example.com/v1/acme-media/x", true),
            ("https://acme-media.s3.example.com", true), ("https://Acme-Media.s3.example.com", true),
            ("http://acme-media:9000", false), ("https://s3.example.com/acme", false),
            ("https://acme-media-2.example.com", false), ("http://192.0.2.1/acme", false),
        ])
    func repeated(endpoint: String, repeats: Bool) throws {
        for addressing in [S3EndpointOptions.Addressing.auto, .virtual] {
            #expect(try S3Endpoint(Self.options(endpoint, addressing)).repeatsBucket == repeats)
        }
        #expect(try !S3Endpoint(Self.options(endpoint, .domain)).repeatsBucket)
    }

    static let hosts: [(endpoint: String?, provider: KnownProvider?)] = [
        (nil, .aws), ("https://s3.eu-west-1.amazonaws.com", .aws), ("https://s3.amazonaws.com", .aws),
        ("https://S3.EU-West-1.AmazonAWS.com:443/base", .aws),
        ("https://media.s3.dualstack.us-east-1.amazonaws.com", .aws),
        ("https://s3-accelerate.amazonaws.com", .aws), ("https://s3-accelerate.dualstack.amazonaws.com", .aws),
        ("https://s3-fips.us-gov-west-1.amazonaws.com", .aws), ("https://s3-eu-west-1.amazonaws.com", .aws),
        ("https://bucket.vpce-1a2b-3c4d.s3.us-east-1.vpce.amazonaws.com", .aws),
        ("https://s3.cn-north-1.amazonaws.com.cn", .aws),
        ("https://s3.eusc-de-east-1.amazonaws.eu", .aws),
        ("https://0123456789abcdef.r2.cloudflarestorage.com", .r2),
        ("https://0123456789abcdef.eu.r2.cloudflarestorage.com", .r2),
        ("https://0123456789abcdef.r2.cloudflarestorage.com/media", .r2),
        ("https://fra1.digitaloceanspaces.com", .spaces),
        ("https://media.fra1.digitaloceanspaces.com", .spaces),
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

    @Test("A host tells the provider", arguments: hosts)
    func provider(endpoint: String?, provider: KnownProvider?) {
        #expect(KnownProvider(S3EndpointOptions(bucket: "media", region: "us-east-1", endpoint: endpoint)) == provider)
    }

    @Test("10,000 parts of 5 GiB are the largest object")
    func limits() {
        #expect(S3Limits.object == 53_687_091_200_000 && S3Limits.upload == 5_368_709_120)
    }
}
