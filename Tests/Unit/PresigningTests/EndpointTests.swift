import Presigning
import PresigningTestSupport
import Testing

@Suite struct EndpointTests {
    typealias Options = S3EndpointOptions

    /// Botocore builds the same hosts, except for a bucket with dots at an IP address, where its host is invalid.
    @Test(
        arguments: [
            (Options(bucket: "media", region: "us-iso-east-1"), "https://media.s3.us-iso-east-1.c2s.ic.gov/"),
            (Options(bucket: "media", region: "us-isob-east-1"), "https://media.s3.us-isob-east-1.sc2s.sgov.gov/"),
            (Options(bucket: "media", region: "eu-isoe-west-1"), "https://media.s3.eu-isoe-west-1.cloud.adc-e.uk/"),
            (Options(bucket: "media", region: "us-isof-south-1"), "https://media.s3.us-isof-south-1.csp.hci.ic.gov/"),
            (Options(bucket: "media", region: "eusc-de-east-1"), "https://media.s3.eusc-de-east-1.amazonaws.eu/"),
            (Options(bucket: "media", region: "cn-north-1"), "https://media.s3.cn-north-1.amazonaws.com.cn/"),
            (Options(bucket: "a.b.c", region: "eu-west-1"), "https://s3.eu-west-1.amazonaws.com/a.b.c/"),
            (Options(bucket: "ab", region: "eu-west-1"), "https://s3.eu-west-1.amazonaws.com/ab/"),
            (
                Options(bucket: "media", region: "us-east-1", addressing: .path, usEast1Endpoint: .legacy),
                "https://s3.amazonaws.com/media/"
            ),
            (
                Options(bucket: "media", region: "us-east-1", fips: true, usEast1Endpoint: .legacy),
                "https://media.s3-fips.us-east-1.amazonaws.com/"
            ),
            (
                Options(bucket: "media", region: "us-east-1", dualstack: true, usEast1Endpoint: .legacy),
                "https://media.s3.dualstack.us-east-1.amazonaws.com/"
            ),
            (
                Options(bucket: "media", region: "eu-west-1", usEast1Endpoint: .legacy),
                "https://media.s3.eu-west-1.amazonaws.com/"
            ),
            (
                Options(bucket: "media", region: "us-east-1", accelerate: true, usEast1Endpoint: .legacy),
                "https://media.s3-accelerate.amazonaws.com/"
            ),
            (
                Options(bucket: "my.bucket", region: "x", endpoint: "http://192.0.2.10:8080", addressing: .virtual),
                "http://192.0.2.10:8080/my.bucket/"
            ),
            (
                Options(bucket: "media", region: "x", endpoint: "HTTPS://Min_io.Example:443/a/b//"),
                "https://min_io.example/a/b/media/"
            ),
        ])
    func names(options: S3EndpointOptions, base: String) throws {
        let endpoint = try S3Endpoint(options)
        #expect("\(endpoint.scheme)://\(endpoint.host)\(endpoint.keyPrefix)" == base)
    }

    @Test(
        "An IPv6 endpoint is signed for the host that clients send, in every spelling",
        arguments: [
            ("http://[0:0:0:0:0:0:0:1]:9000", "http://[::1]:9000"), ("http://[::1]:80", "http://[::1]"),
            ("https://[2001:0DB8::0001]/base", "https://[2001:db8::1]"),
            ("http://[::FFFF:127.0.0.1]:9000", "http://[::ffff:7f00:1]:9000"),
        ])
    func address(endpoint: String, origin: String) throws {
        let options = Options(bucket: "media", region: "us-east-1", endpoint: endpoint, addressing: .virtual)
        let task = AWSS3StorageGetURLTask(.getObject, key: "a", in: try S3Bucket(options))
        var presigner = Presigner()
        let credentials = try Fixture.credentials()
        let url = try task.url(with: credentials, at: Fixture.time, using: &presigner).text
        #expect(url.hasPrefix(origin + "/"))
        #expect(try verification(of: url, method: "GET", at: Fixture.time, credentials) == .valid)
    }

    @Test("A zone is refused by name", arguments: ["http://[fe80::1%25eth0]:9000", "http://[fe80::1%eth0]"])
    func zone(endpoint: String) {
        let options = Options(bucket: "media", region: "us-east-1", endpoint: endpoint)
        #expect {
            _ = try S3Endpoint(options)
        } throws: {
            guard case .validation("endpoint", let description, _)? = $0 as? StorageError else { return false }
            return description.contains("zone")
        }
    }

    @Test(
        "Every operation is found by its name and has its method",
        arguments: [
            ("getObject", "GET"), ("putObject", "PUT"), ("headObject", "HEAD"), ("deleteObject", "DELETE"),
            ("createMultipartUpload", "POST"), ("uploadPart", "PUT"), ("completeMultipartUpload", "POST"),
            ("abortMultipartUpload", "DELETE"), ("listParts", "GET"), ("listObjectsV2", "GET"),
        ])
    func operations(name: String, method: String) {
        let operation = AWSS3SigningOperation(named: name, uploadId: "u", partNumber: 1)
        #expect(operation?.name == name)
        #expect(operation?.method == method)
        #expect(AWSS3SigningOperation(named: name.uppercased()) == nil)
    }
}
