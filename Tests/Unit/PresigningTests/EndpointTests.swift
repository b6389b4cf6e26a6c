import Presigning
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
