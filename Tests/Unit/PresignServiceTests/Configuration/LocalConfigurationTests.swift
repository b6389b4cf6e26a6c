import Requests
import Testing

@testable import CallerAuthentication
@testable import HTTPServer
@testable import PresignService
@testable import Presigning

@Suite("Configuration for local storage")
struct LocalConfigurationTests {
    private static let credentials = Result { try Credentials(accessKeyID: "LOCAL", secretAccessKey: "secret") }

    @Test("Without a file there is one store, a page, and no caller yet")
    func builtIn() throws {
        let configuration = try ServiceConfiguration.local(in: "data")
        #expect(configuration.stores.map(\.name) == ["local"])
        #expect(configuration.server.listen == [.tcp(host: "127.0.0.1", port: 8080)])
        #expect(configuration.local?.directory == "data")
        #expect(configuration.local?.listen == .tcp(host: "127.0.0.1", port: 8081))
        #expect(configuration.servesPage && !configuration.hasCallers)
        // An API key is generated at startup, so this is not a mistake.
        #expect(configuration.warnings.isEmpty)
    }

    @Test("A caller with an admitted key may sign")
    func admitted() throws {
        var configuration = try ServiceConfiguration.local(in: "data")
        configuration.authentication.admit(id: "web", key: "psk_web_" + String(repeating: "W", count: 43))
        #expect(configuration.hasCallers)
    }

    @Test("Every store is served by the local storage, with its bucket, region, prefix and name")
    func everyStore() throws {
        let yaml = """
            version: 1
            stores:
              a: {bucket: acme-a, region: eu-west-1, default: true, accelerate: true, prefix: v1/}
              b: {bucket: acme-b, region: us-east-1, endpoint: "http://10.0.0.7:9000", publicEndpoint: "https://f.example"}
              c: {bucket: acme-a, region: eu-west-1}
            local: {directory: data, listen: "127.0.0.1:9001"}
            """
        var configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
        #expect(configuration.servesPage)
        #expect(configuration.buckets.map(\.name) == ["acme-a", "acme-b"])
        #expect(configuration.buckets.map(\.region) == ["eu-west-1", "us-east-1"])
        try configuration.serveLocally(from: "http://127.0.0.1:9001", with: Self.credentials.get())
        #expect(configuration.stores.map(\.name) == ["a", "b", "c"])
        for store in configuration.stores {
            #expect(store.bucket.endpoint.host == "127.0.0.1:9001" && store.bucket.endpoint.scheme == "http")
            #expect(store.bucket.endpoint.addressingStyle == .path)
            #expect(store.internalBucket.endpoint == store.bucket.endpoint)
            #expect(store.givenCredentials?.accessKeyID == "LOCAL")
        }
        #expect(configuration.stores[0].prefix == Array("v1/".utf8))
        #expect(configuration.stores[0].bucket.name == "acme-a")
    }

    @Test(
        "Only addresses that other machines cannot reach are loopback addresses",
        arguments: [
            ("127.0.0.1:1", true), ("127.9.9.9:1", true), ("[::1]:1", false), ("localhost:1", true),
            ("0.0.0.0:1", false), (":1", false), ("[::]:1", false), ("10.0.0.1:1", false), ("128.0.0.1:1", false),
        ])
    func loopback(_ text: String, _ isLoopback: Bool) throws {
        #expect(LocalConfiguration.isLoopback(try ListenAddress.parse(text)) == isLoopback)
    }
}
