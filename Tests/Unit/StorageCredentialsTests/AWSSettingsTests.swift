import Foundation
import Testing

@testable import Presigning
@testable import StorageCredentials

@Suite("Regions and endpoints of variables and profiles")
struct AWSSettingsTests {
    private static let file = """
        [default]
        region = eu-west-1
        endpoint_url =
        [profile other]
        region = eu-north-1
        endpoint_url = https://other.example
        [profile both]
        endpoint_url = https://all.example
        services = mine
        use_fips_endpoint = true
        use_dualstack_endpoint = false
        s3 =
          addressing_style = path
          max_concurrent_requests = 20
        [services mine]
        s3 =
          endpoint_url = https://s3.example
        [profile ignoring]
        endpoint_url = https://all.example
        ignore_configured_endpoint_urls = true
        [profile instance]
        ec2_metadata_service_endpoint = http://192.0.2.1
        ec2_metadata_service_endpoint_mode = IPv6
        ca_bundle = /ca.pem
        [profile neutral]
        ec2_metadata_service_endpoint =
        ec2_metadata_service_endpoint_mode = IPv4
        ca_bundle =
        [profile empty]
        region =
        role_arn =
        aws_access_key_id =
        aws_secret_access_key =
        aws_session_token =
        [profile half]
        aws_access_key_id = AKID
        aws_secret_access_key =
        [profile token]
        aws_access_key_id = AKID
        aws_secret_access_key = s
        aws_security_token = old
        """

    private static func with<Value>(
        _ values: [String: String], _ body: (CredentialVariables) throws -> Value
    ) throws -> Value {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try file.write(to: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: path) }
        let all = ["AWS_CONFIG_FILE": path.path, "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"].merging(values) { $1 }
        return try body(CredentialVariables { all[$0] })
    }

    @Test(
        "An empty variable or setting counts as absent, and the next one is used",
        arguments: [
            ([:], "eu-west-1"), (["AWS_REGION": "r-1", "AWS_DEFAULT_REGION": "r-2"], "r-1"),
            (["AWS_REGION": "", "AWS_DEFAULT_REGION": "r-2"], "r-2"),
            (["AWS_REGION": "", "AWS_DEFAULT_REGION": ""], "eu-west-1"), (["AWS_PROFILE": "empty"], nil),
            (["AWS_PROFILE": "", "AWS_DEFAULT_PROFILE": "other"], "eu-north-1"),
            (["AWS_PROFILE": "other", "AWS_DEFAULT_PROFILE": "empty"], "eu-north-1"),
            (["AWS_PROFILE": "missing"], nil), (["AWS_CONFIG_FILE": "/"], nil),
        ] as [([String: String], String?)])
    func region(values: [String: String], expected: String?) throws {
        #expect(try Self.with(values) { AWSSettings($0).region } == expected)
    }

    @Test(
        "The endpoint of S3: its own variable, that of all services, its own setting, that of all services",
        arguments: [
            ([:], nil), (["AWS_ENDPOINT_URL": "https://a", "AWS_ENDPOINT_URL_S3": "https://b"], "https://b"),
            (["AWS_ENDPOINT_URL": "https://a", "AWS_ENDPOINT_URL_S3": ""], "https://a"),
            (["AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_S3": ""], nil),
            (["AWS_ENDPOINT_URL": "", "AWS_PROFILE": "other"], "https://other.example"),
            (["AWS_PROFILE": "both"], "https://s3.example"), (["AWS_PROFILE": "ignoring"], nil),
            (["AWS_PROFILE": "ignoring", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false"], "https://all.example"),
            (["AWS_ENDPOINT_URL": "https://a", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "TRUE"], nil),
            (["AWS_ENDPOINT_URL": "https://a", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": ""], "https://a"),
        ] as [([String: String], String?)])
    func endpoint(values: [String: String], expected: String?) throws {
        #expect(try Self.with(values) { AWSSettings($0).endpoint(of: "s3")?.url } == expected)
    }

    @Test(
        "What only the SDKs use is named, unless it changes nothing",
        arguments: [
            ([:], []), (["AWS_USE_FIPS_ENDPOINT": "", "BOTO_CONFIG": ""], []), (["AWS_USE_FIPS_ENDPOINT": "False"], []),
            (["AWS_USE_FIPS_ENDPOINT": "true", "BOTO_CONFIG": "/b"], ["AWS_USE_FIPS_ENDPOINT", "BOTO_CONFIG"]),
            (
                ["AWS_PROFILE": "both"],
                ["s3.addressing_style of the profile", "use_fips_endpoint of the profile"]
            ),
            (
                ["AWS_PROFILE": "instance", "AWS_CREDENTIAL_FILE": "/c"],
                [
                    "ca_bundle of the profile", "ec2_metadata_service_endpoint of the profile",
                    "ec2_metadata_service_endpoint_mode of the profile", "AWS_CREDENTIAL_FILE",
                ]
            ), (["AWS_PROFILE": "neutral"], []),
        ] as [([String: String], [String])])
    func unread(values: [String: String], names: [String]) throws {
        let found = try Self.with(values) { AWSSettings($0).warnings }
        #expect(found.count == names.count, "\(found)")
        for (warning, name) in zip(found, names) {
            #expect(warning.hasPrefix("\(name) is set, but presign"), "\(warning)")
        }
    }

    @Test("Where a configuration defines the endpoints, only what concerns keys is named")
    func unreadKeys() throws {
        let values = ["AWS_PROFILE": "both", "AWS_USE_FIPS_ENDPOINT": "true", "AWS_CREDENTIAL_FILE": ""]
        #expect(try Self.with(values) { AWSSettings($0).keyWarnings } == [])
        let keys = values.merging(["AWS_CREDENTIAL_FILE": "/c", "BOTO_CONFIG": "/b"]) { $1 }
        let found = try Self.with(keys) { AWSSettings($0).keyWarnings }
        #expect(found.map { $0.prefix { $0 != " " } } == ["AWS_CREDENTIAL_FILE", "BOTO_CONFIG"], "\(found)")
        #expect(found.allSatisfy { $0.contains("set AWS_ACCESS_KEY_ID") })
    }

    @Test("Empty keys of a profile are absent, half a pair is an error, and the old name of the token is read")
    func keys() throws {
        func source(_ profile: String) throws -> Credentials? {
            try Self.with([:]) { try SharedFilesCredentialSource($0, profile: profile).credentials() }
        }
        #expect(throws: CredentialFailure.self) { try source("half") }
        #expect(try source("token")?.sessionToken == "old")
        let empty = #expect(throws: CredentialFailure.self) { try source("empty") }
        #expect(empty?.reason.contains("no such profile with keys") == true)
    }
}
