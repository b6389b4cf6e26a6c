import Presigning
import Testing

@Suite("Endpoints that already name the bucket")
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
        "Other hosts of these providers are endpoints",
        arguments: [
            "https://abc123.fedramp.r2.cloudflarestorage.com", "https://\(account).jp.r2.cloudflarestorage.com",
            "https://api.eu-west-1.amazonaws.com/prod", "https://lb-1.eu-west-1.elb.amazonaws.com/s3",
            "https://accesspoint.vpce-1a-2b.s3.eu-west-1.vpce.amazonaws.com", "https://xr2.cloudflarestorage.com/a",
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
}
