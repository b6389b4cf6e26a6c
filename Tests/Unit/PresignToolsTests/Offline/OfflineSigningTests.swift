import PresigningTestSupport
import Requests
import Testing

@testable import AccessRules
@testable import PresignService
@testable import PresignTools
@testable import Presigning
@testable import StorageCredentials

@Suite("Offline signing")
struct OfflineSigningTests {
    private static let time = SigningTime(secondsSince1970: 1_795_237_200)

    private static func defaults() throws -> SigningDefaults {
        let credentials = try Credentials(
            accessKeyID: "AKIDLIVE", secretAccessKey: TestCredentials.secret)
        return SigningDefaults(
            endpoint: S3EndpointOptions(bucket: "acme-media", region: "eu-west-1"), credentials: credentials)
    }

    private static func fields(_ path: String, _ change: (inout PresignRequest) -> Void = { _ in }) -> PresignRequest {
        var fields = PresignRequest()
        fields.path = Array(path.utf8)
        change(&fields)
        return fields
    }

    @Test("Prefix, content type, expiry and acceleration are signed")
    func signed() throws {
        var defaults = try Self.defaults()
        defaults.prefix = Array("v1/".utf8)
        let wanted = Self.fields("a b") {
            $0.method = .put
            $0.contentType = "image/png"
            $0.expiresIn = 60
            $0.useAccelerateEndpoint = true
        }
        let response = try OfflineSigning.url(wanted, defaults, at: Self.time)
        let text = response.url.text
        #expect(text.hasPrefix("https://acme-media.s3-accelerate.amazonaws.com/v1/a%20b?"))
        #expect(queryItems(of: text)["X-Amz-Expires"] == "60")
        let headers = ["content-type": "image/png"]
        #expect(try verification(of: text, method: "PUT", headers: headers, at: Self.time) == .valid)
        #expect(try verification(of: text, method: "PUT", at: Self.time) == .tampered(.missingHeader("content-type")))
    }

    @Test("the default expiry applies")
    func defaultExpiry() throws {
        var defaults = try Self.defaults()
        #expect(try OfflineSigning.url(Self.fields("a"), defaults, at: Self.time).url.expiresIn == 18_000)
        defaults.expiresIn = 60
        #expect(try OfflineSigning.url(Self.fields("a"), defaults, at: Self.time).url.expiresIn == 60)
    }

    @Test("the maximum of the configuration applies")
    func maximumExpiry() throws {
        var defaults = try Self.defaults()
        defaults.expires.max = 900
        let tooLong = Self.fields("a") { $0.expiresIn = 901 }
        let failure = #expect(throws: FieldFailure.self) {
            _ = try OfflineSigning.url(tooLong, defaults, at: Self.time)
        }
        #expect(failure?.description.contains("expiresIn: 901 seconds is more than the maximum (900 seconds)") == true)
        #expect(try OfflineSigning.url(Self.fields("a"), defaults, at: Self.time).url.expiresIn == 900)
        var signer = LineSigner(defaults: defaults)
        let line = Array(#"{"key":"a","expiresIn":901}"#.utf8)
        let response = String(decoding: signer.response(to: line[...], at: Self.time), as: UTF8.self)
        #expect(response.contains("more than the maximum (900 seconds)"))
    }

    @Test("a session token with an unknown expiration causes a warning after it was used", arguments: [nil, 900])
    func unknownEnd(_ seconds: Int?) throws {
        let credentials = try Credentials(
            accessKeyID: "AKID", secretAccessKey: "s3cret", sessionToken: "t0ken",
            expiration: seconds.map { Self.time.advanced(bySeconds: $0) }, source: "profile dev")
        let defaults = SigningDefaults(
            endpoint: S3EndpointOptions(bucket: "acme-media", region: "eu-west-1"), credentials: credentials)
        #expect(defaults.credentials.read.warning == nil)
        _ = try OfflineSigning.url(Self.fields("a"), defaults, at: Self.time)
        #expect(defaults.credentials.read.warning?.contains("profile dev") == (seconds == nil ? true : nil))
    }

    @Test("errors name the missing or invalid field")
    func mistakes() throws {
        var (noBucket, noCredentials) = (try Self.defaults(), try Self.defaults())
        noBucket.endpoint = nil
        noCredentials.credentials = PerRole(both: OfflineCredentials(nil))
        let good = try Self.defaults()
        let cases: [(String, (inout PresignRequest) -> Void, SigningDefaults, String)] = [
            ("a", { _ in }, noBucket, "bucket"), ("a", { _ in }, noCredentials, "AWS_ACCESS_KEY_ID"),
            ("", { _ in }, good, "path"), ("a", { $0.expiresIn = 0 }, good, "expiresIn"),
            ("a", { $0.expiresIn = 604_801 }, good, "604800"), ("a", { $0.partNumber = 1 }, good, "partNumber"),
            ("a", { ($0.method, $0.contentType) = (.put, "a\nb") }, good, "contentType"),
            ("a", { $0.checksumSHA256 = "x" }, good, "checksumSHA256"),
        ]
        for (path, change, defaults, named) in cases {
            let failure = #expect(throws: FieldFailure.self) {
                _ = try OfflineSigning.url(Self.fields(path, change), defaults, at: Self.time)
            }
            #expect(failure?.description.contains(named) == true, "\(failure?.description ?? "")")
            #expect(failure?.description.contains(TestCredentials.secret) == false)
        }
    }
}
