import Requests
import Testing

@testable import DataFormats
@testable import PresignService

@Suite("Names that are not valid on AWS")
struct AWSNameTests {
    @Test(
        "Bucket names",
        arguments: [
            ("acme-media", nil), ("acme.media.2024", nil), ("3ab", nil), (String(repeating: "a", count: 63), nil),
            ("1.2.3.4a", nil), ("1.2.3", nil), ("1234.1.1.1", nil),
            ("ab", "3 to 63"), (String(repeating: "a", count: 64), "3 to 63"), ("Acme", "lower-case"),
            ("acme_media", "lower-case"), ("acmé", "lower-case"), ("-acme", "begin and end"),
            ("acme-", "begin and end"),
            (".acme", "begin and end"), ("ac..me", "two dots"), ("192.168.0.1", "IP address"), ("xn--acme", "xn--"),
            ("sthree-acme", "sthree-"),
        ] as [(String, String?)])
    func buckets(name: String, message: String?) {
        let mistake = AWSNames.mistake(inBucket: name)
        #expect(message == nil ? mistake == nil : mistake?.contains(message ?? "") == true, "\(mistake ?? "")")
    }

    @Test(
        "Region names; unknown regions of the usual form are accepted",
        arguments: [
            ("eu-west-1", nil), ("us-gov-west-1", nil), ("eusc-de-east-1", nil), ("us-isob-east-1", nil),
            ("eu-west-9", nil), ("nz-central-1", nil),
            ("eu-wset-1", "did you mean `eu-west-1`?"), ("eu-wes-1", "did you mean `eu-west-1`?"),
            ("eu-west1", "did you mean `eu-west-1`?"), ("us-esat-2", "did you mean `us-east-2`?"),
            ("EU-west-1", "such as eu-west-1"), ("ireland", "such as eu-west-1"), ("eu-west", "such as eu-west-1"),
            ("europe-west-1", "such as eu-west-1"), ("auto", "such as eu-west-1"), ("", "such as eu-west-1"),
        ] as [(String, String?)])
    func regions(name: String, message: String?) {
        let mistake = AWSNames.mistake(inRegion: name)
        #expect(message == nil ? mistake == nil : mistake?.hasSuffix(message ?? "") == true, "\(mistake ?? "")")
    }

    @Test(
        "Invalid names cause warnings, but only for stores without an endpoint",
        arguments: [
            (
                "{bucket: acme_media, region: eu-wset-1}",
                [
                    "c.yaml:2:26: `stores.media.bucket` `acme_media` may contain only",
                    "c.yaml:2:46: `stores.media.region` `eu-wset-1` is not an AWS region; did you mean `eu-west-1`?",
                ]
            ),
            ("{bucket: acme_media, region: garage, endpoint: \"http://a:3900\"}", []),
            ("{bucket: acme_media, region: garage}}\nlocal: {directory: data", []),
            ("{bucket: acme-media, region: eu-west-1}", []),
        ])
    func warnings(store: String, lines: [String]) throws {
        let yaml = """
            version: 1
            stores: {media: \(store)}
            auth: {guest: true}
            rules: [{path: a/*, allow: {everyone: [get]}}]
            limits: {perGuest: 60/m}
            """
        let warnings = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").warnings.map(\.description)
        #expect(warnings.count == lines.count, "\(warnings)")
        for (warning, line) in zip(warnings, lines) { #expect(warning.hasPrefix(line), "\(warning)") }
    }
}
