import Testing

@testable import DataFormats
@testable import PresignService
@testable import Presigning

@Suite("The addresses of a store")
struct StoreEndpointTests {
    private static func configuration(_ store: String, sections: String = "") throws -> ServiceConfiguration {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1, unsignedHeaders: refused, \(store)}}
            auth: {guest: true}
            rules: [{path: a, allow: {everyone: [get]}}]
            limits: {perCaller: 10/s, perGuest: 60/m}
            \(sections)
            """
        return try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
    }

    @Test(
        "Addresses in URLs, in signatures, and of the service itself",
        arguments: [
            (#"endpoint: "http://s:9000/base/""#, "http://s:9000/base", nil, "http://s:9000/base"),
            (
                #"endpoint: "http://s:9000", publicEndpoint: "https://f.example/s", signedEndpoint: "https://s:9000""#,
                "https://f.example/s", "https://s:9000", "http://s:9000"
            ),
            (
                #"endpoint: "https://f.example/s", publicEndpoint: "https://f.example/s", signedEndpoint: "https://s""#,
                "https://f.example/s", "https://s", "https://f.example/s"
            ),
            (
                #"addressing: domain, endpoint: "http://s:9000/b", publicEndpoint: "https://f.example""#,
                "https://f.example, which is the bucket", nil, "http://s:9000/b"
            ),
            (
                #"addressing: domain, endpoint: "https://acme-media.s3.eu-west-1.amazonaws.com""#,
                "https://acme-media.s3.eu-west-1.amazonaws.com, which is the bucket", nil,
                "https://acme-media.s3.eu-west-1.amazonaws.com"
            ),
        ])
    func addresses(store: String, urls: String, signed: String?, service: String) throws {
        let configuration = try Self.configuration(store)
        let store = try #require(configuration.stores.first)
        let line =
            "store media (default): bucket acme-media at \(urls)"
            + (signed.map { ", signed for \($0)" } ?? "") + ", region eu-west-1"
        #expect(configuration.summary.contains(line), "\(configuration.summary)")
        #expect(store.internalBucket.endpoint.address == service)
        // A service that uses the public address is behind the same proxy.
        let isBehindProxy = store.publicEndpoint == service
        #expect(store.internalBucket.endpoint.signedAddress == (isBehindProxy ? signed : nil))
    }

    @Test(
        "Invalid addresses are errors with the position",
        arguments: [
            (#"^endpoint: "https://abc123.r2.cloudflarestorage.com/acme-media""#, "Use https://abc123.r2.cloudflare"),
            (
                #"endpoint: "https://s", ^publicEndpoint: "https://acme-media.nyc3.digitaloceanspaces.com""#,
                "Use https://nyc3.digitaloceanspaces.com"
            ),
            ("^addressing: domain", "needs `endpoint`"),
            (#"^signedEndpoint: "https://s""#, "needs `publicEndpoint`"),
            (#"endpoint: "https://s", ^signedEndpoint: "https://s""#, "needs `publicEndpoint`"),
            (
                #"endpoint: "https://s", publicEndpoint: "https://f", ^signedEndpoint: "http://s""#,
                "Write it with https://"
            ),
            (#"endpoint: "https://s", publicEndpoint: "https://f", ^signedEndpoint: "https://s?a=b""#, "query"),
            (#"endpoint: "https://s", publicEndpoint: "https://f", ^signedEndpoint: """#, "at least one character"),
            (
                #"endpoint: "https://s", publicEndpoint: "https://f", signedEndpoint: "https://s", ^accelerate: true"#,
                "custom endpoint"
            ),
        ])
    func mistakes(marked: String, message: String) throws {
        let mark = try #require(marked.firstIndex(of: "^"))
        let key = marked[marked.index(after: mark)...].prefix { $0 != ":" }
        let error = #expect(throws: ConfigurationError.self) {
            try Self.configuration(marked.replacing("^", with: ""))
        }
        let mistakes = try #require(error).mistakes
        #expect(mistakes.count == 1, "\(mistakes)")
        #expect(mistakes[0].message.contains(message) && mistakes[0].message.contains(key), "\(mistakes)")
        let line = "stores: {media: {bucket: acme-media, region: eu-west-1, unsignedHeaders: refused, "
        let column = line.count + marked[..<mark].count + key.count + 3
        #expect(mistakes[0].position.description == "c.yaml:2:\(column)")
    }

    @Test("An invalid addressing is the only error of a store on AWS")
    func invalidAddressing() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.configuration("addressing: domian, accelerate: true")
        }
        #expect(error?.mistakes.map(\.message).count == 1, "\(String(describing: error))")
    }

    @Test(
        "Addresses that the storage probably does not see like this",
        arguments: [
            (#"endpoint: "https://s3.example.com/acme-media""#, ["endpoint` already names the bucket `acme-media`"]),
            (#"endpoint: "https://acme-media.example.com""#, ["endpoint` already names the bucket `acme-media`"]),
            (#"endpoint: "https://acme-media.example.com", addressing: domain"#, []),
            (
                #"endpoint: "https://s", publicEndpoint: "https://acme-media.example.com""#,
                ["publicEndpoint` already names the bucket `acme-media`"]
            ),
            (
                #"endpoint: "https://s", publicEndpoint: "https://f/storage""#,
                ["publicEndpoint` has another path than `endpoint`"]
            ),
            (#"endpoint: "https://s/storage", publicEndpoint: "https://f/storage/""#, []),
            (#"endpoint: "https://s", publicEndpoint: "https://f/acme-media", signedEndpoint: "https://s""#, []),
            (
                #"endpoint: "https://s", publicEndpoint: "https://f", signedEndpoint: "https://s/acme-media""#,
                ["signedEndpoint` already names the bucket `acme-media`"]
            ),
        ] as [(String, [String])])
    func warnings(store: String, expected: [String]) throws {
        let found = try Self.configuration(store).warnings.map(\.description)
        #expect(found.count == expected.count, "\(found)")
        for (warning, text) in zip(found, expected) { #expect(warning.contains("`stores.media.\(text)"), "\(warning)") }
        #expect(try Self.configuration(store, sections: "local: {directory: d}").warnings.isEmpty)
    }
}
