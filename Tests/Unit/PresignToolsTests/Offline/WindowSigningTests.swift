import Foundation
import PresigningTestSupport
import Requests
import Testing

@testable import PresignService
@testable import PresignTools
@testable import Presigning

@Suite("Offline signing with a store's window")
struct WindowSigningTests {
    /// 800 s after the start of a window of 900 s.
    private static let time = SigningTime(secondsSince1970: 1_790_000_000)

    private static func defaults() throws -> SigningDefaults {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1, expires: {window: 15m}}}
            """
        let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
        let environment = [
            "AWS_ACCESS_KEY_ID": TestCredentials.accessKeyID, "AWS_SECRET_ACCESS_KEY": TestCredentials.secret,
        ]
        return try SigningDefaults(
            store: try #require(configuration.stores.first), of: configuration
        ) { environment[$0] }
    }

    @Test("A download's URL stays the same", arguments: [PresignRequest.Method.get, .head, .put])
    func single(method: PresignRequest.Method) throws {
        var fields = PresignRequest()
        (fields.path, fields.method) = (Array("a".utf8), method)
        let urls = try [-800, -1, 0].map {
            try OfflineSigning.url(fields, Self.defaults(), at: Self.time.advanced(bySeconds: $0)).url
        }
        #expect(Set(urls.map(\.bytes)).count == (method == .put ? 3 : 1))
        #expect(urls[2].expiresIn == (method == .put ? 18_000 : 18_100))
        #expect(try verification(of: urls[2].text, method: method.rawValue, at: Self.time) == .valid)
    }

    @Test("A line of a batch has the window of the store")
    func batch() throws {
        struct Line: Decodable { let url: String }
        var signer = LineSigner(defaults: try Self.defaults())
        let response = try JSONDecoder().decode(
            Line.self, from: Data(signer.response(to: Array(#"{"key":"a"}"#.utf8)[...], at: Self.time)))
        #expect(queryItems(of: response.url)["X-Amz-Expires"] == "18900")
    }
}
