import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Requests that list objects")
struct ListingTests {
    /// The usual configuration with two stores that offer listing, of which one has a prefix.
    private static func service() throws -> TestService {
        let yaml = SampleConfiguration(guest: true).yaml
            .replacing("acme-media, region: eu-west-1,", with: "acme-media, region: eu-west-1, listing: true,")
            .replacing("region: us-east-1, prefix: v1/", with: "region: us-east-1, prefix: v1/, listing: true")
            .replacing(
                "public/**, store: archive, allow: {authenticated: [get",
                with: "public/**, store: archive, "
                    + "allow: {authenticated: [list, get"
            )
            .replacing("everyone: [get]", with: "everyone: [read]")
            .replacing("- path: \"**/.*\"", with: "- {path: \"**/.*\", actions: [get, write]}")
        return try TestService(yaml)
    }

    @Test("The URL lists the bucket below the prefix, with every parameter signed")
    func url() throws {
        let body = #"{"method":"GET","prefix":"public/a b/","delimiter":"/","maxKeys":50,"startAfter":"public/é"}"#
        let presigned = try verified(try Self.service().exchange(presignRequest(body)))
        #expect(presigned.method == "GET" && presigned.headers.isEmpty && presigned.key == "public/a b/")
        #expect(presigned.url.hasPrefix("https://acme-media.s3.eu-west-1.amazonaws.com/?X-Amz-Algorithm="))
        let own = presigned.query.filter { !$0.key.hasPrefix("X-Amz-") }
        #expect(
            own == [
                "list-type": "2", "encoding-type": "url", "prefix": "public/a b/", "delimiter": "/", "max-keys": "50",
                "start-after": "public/é",
            ])
    }

    @Test("The names of a store with a prefix begin with it, and a token is passed on unchanged")
    func storePrefix() throws {
        let body = #"{"prefix":"public/","store":"archive","startAfter":"public/b","continuationToken":"1/x+y="}"#
        let presigned = try verified(try Self.service().exchange(presignRequest(body)))
        #expect(
            presigned.key == "public/" && presigned.url.hasPrefix("https://s3.us-east-1.amazonaws.com/acme.archive/?"))
        #expect(presigned.query["prefix"] == "v1/public/" && presigned.query["start-after"] == "v1/public/b")
        #expect(presigned.query["continuation-token"] == "1/x+y=")
        #expect(presigned.query["max-keys"] == nil && presigned.query["delimiter"] == nil)
    }

    @Test("Guests, forms and batches can list; the rules decide")
    func sources() throws {
        let service = try Self.service()
        try verified(try service.exchange(presignRequest(#"{"prefix":"public/"}"#, key: nil)))
        try verified(
            try service.exchange(
                presignRequest("prefix=public%2F&maxKeys=5", type: "application/x-www-form-urlencoded")))
        let items = #"{"requests":[{"prefix":"public/"},{"prefix":""},{"path":"public/a"}]}"#
        let batch = try service.exchange(
            presignRequest(items).replacing("POST /presign ", with: "POST /presign/batch "))
        #expect(batch.status == 200 && batch.text.split(separator: "X-Amz-Signature=").count == 3)
        for (prefix, key, status) in [
            ("", SampleConfiguration.Key.web, 403), ("inbox/", SampleConfiguration.Key.web, 403), ("inbox/", nil, 401),
            ("private/alice/", SampleConfiguration.Key.web, 403),
        ] as [(String, String?, Int)] {
            let refused = try service.exchange(presignRequest(#"{"prefix":"\#(prefix)"}"#, key: key))
            #expect(refused.status == status)
        }
    }

    @Test("Without `listing: true` no store lists, although `read` grants it")
    func off() throws {
        let yaml = SampleConfiguration(guest: true).yaml.replacing("everyone: [get]", with: "everyone: [read]")
        let problem = try TestService(yaml).exchange(presignRequest(#"{"prefix":"public/"}"#)).problem()
        #expect(problem.status == 400 && problem.pointers == ["#/prefix"])
        #expect(problem.errors?.first?.detail == "this store does not offer listing")
        #expect(problem.recoverySuggestion?.contains("`listing: true`") == true)
    }

    @Test(
        "Fields that do not fit a listing are named",
        arguments: [
            (#"{"prefix":"public/","path":"a"}"#, ["#/path"]), (#"{"key":"a","prefix":""}"#, ["#/prefix"]),
            (#"{"prefix":"public"}"#, ["#/prefix"]), (#"{"prefix":"/"}"#, ["#/prefix"]),
            (#"{"prefix":"a//"}"#, ["#/prefix"]), (#"{"prefix":null}"#, ["#/prefix"]),
            (#"{"prefix":"a/","method":"HEAD"}"#, ["#/method"]),
            (#"{"prefix":"a/","method":"PUT","contentLength":1}"#, ["#/contentLength", "#/method"]),
            (#"{"prefix":"a/","uploadId":"u","partNumber":1}"#, ["#/uploadId", "#/partNumber"]),
            (#"{"prefix":"a/","delimiter":"-"}"#, ["#/delimiter"]), (#"{"prefix":"a/","maxKeys":0}"#, ["#/maxKeys"]),
            (#"{"prefix":"a/","maxKeys":1001}"#, ["#/maxKeys"]), (#"{"prefix":"a/","maxKeys":"x"}"#, ["#/maxKeys"]),
            (#"{"prefix":"a/","continuationToken":""}"#, ["#/continuationToken"]),
            (#"{"prefix":"a/","startAfter":"\u0000"}"#, ["#/startAfter"]),
            (#"{"prefix":"a/","responseExpires":"x"}"#, ["#/responseExpires"]),
            (#"{"path":"public/a","delimiter":"/","maxKeys":1}"#, ["#/delimiter", "#/maxKeys"]),
            (#"{"path":"public/a","startAfter":"b"}"#, ["#/startAfter"]),
        ])
    func mistakes(body: String, pointers: [String]) throws {
        let problem = try Self.service().exchange(presignRequest(body)).problem()
        #expect(problem.status == 400 && problem.pointers == pointers, "\(problem)")
    }
}
