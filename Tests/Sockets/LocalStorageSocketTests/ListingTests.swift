import SocketTestSupport
import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Listing objects of the local storage")
struct ListingTests {
    private let live: LiveStore

    init() throws { live = try LiveStore(origins: ["https://app.example.com"]) }

    private func put(_ keys: [String]) throws {
        for key in keys {
            let response = try live.exchange(.putObject, .fromString(key), body: Array(key.utf8))
            try #require(response.status == 200, "\(response.text)")
        }
    }

    private func list(
        _ prefix: String, _ query: [(name: String, value: String)] = [], headers: [(String, String)] = []
    ) throws -> RawResponse {
        try live.exchange(.listObjectsV2(prefix: prefix), "", query: query, headers: headers)
    }

    @Test("Names, sizes, ETags and times are those of the objects; keys are percent-encoded except for slashes")
    func elements() throws {
        try put(["photos/a b+c.jpg", "photos/é.jpg", "other"])
        let response = try list("photos/")
        #expect(response.status == 200 && response["content-type"] == "application/xml")
        #expect(response.text.components("Key") == ["photos/a%20b%2Bc.jpg", "photos/%C3%A9.jpg"])
        #expect(response.text.components("Size") == ["16", "13"])
        #expect(response.text.components("LastModified") == Array(repeating: "2023-11-14T22:13:20.000Z", count: 2))
        let tag = try live.exchange(.headObject, "photos/é.jpg")["etag"]
        #expect(response.text.components("ETag").last?.replacing("&quot;", with: "\"") == tag)
        for (name, value) in [
            ("Name", "local"), ("Prefix", "photos/"), ("KeyCount", "2"), ("MaxKeys", "1000"), ("EncodingType", "url"),
            ("IsTruncated", "false"), ("StorageClass", "STANDARD"),
        ] {
            #expect(response.element(name) == value)
        }
        #expect(response.element("NextContinuationToken") == nil)
        #expect(try list("").text.components("Key").count == 3)
        #expect(try list("none/").element("KeyCount") == "0")
    }

    @Test("A delimiter groups the names of deeper folders")
    func delimiter() throws {
        try put(["f/a", "f/b/1", "f/b/2", "f/c/d/e", "f/z", "g/a"])
        let response = try list("f/", [("delimiter", "/")])
        #expect(response.text.components("Key") == ["f/a", "f/z"])
        #expect(response.text.components("Prefix") == ["f/", "f/b/", "f/c/"])
        #expect(response.element("KeyCount") == "4" && response.element("Delimiter") == "/")
    }

    @Test("An empty delimiter counts as absent, and the owner is listed on request")
    func parameters() throws {
        try put(["f/a", "f/b/1"])
        let response = try list("f/", [("delimiter", ""), ("fetch-owner", "true")])
        #expect(response.text.components("Key") == ["f/a", "f/b/1"] && response.element("Delimiter") == nil)
        #expect(response.text.components("ID") == ["presign-local", "presign-local"])
        for query in [[], [(name: "fetch-owner", value: "false")]] {
            #expect(try list("f/", query).element("Owner") == nil)
        }
    }

    @Test("Pages follow each other by continuation token, also within groups, and start-after skips names")
    func pages() throws {
        try put(["f/a", "f/b/1", "f/b/2", "f/c/3", "f/d"])
        var names: [String] = []
        var token: String?
        repeat {
            let page = try list(
                "f/", [("delimiter", "/"), ("max-keys", "1")] + (token.map { [("continuation-token", $0)] } ?? []))
            names += page.text.components("Key") + page.text.components("Prefix").dropFirst()
            #expect(page.element("KeyCount") == "1" && page.element("ContinuationToken") == token)
            token = page.element("NextContinuationToken")
            #expect(page.element("IsTruncated") == (token == nil ? "false" : "true"))
        } while token != nil
        #expect(names == ["f/a", "f/b/", "f/c/", "f/d"])
        let rest = try list("f/", [("start-after", "f/b/1")])
        #expect(rest.text.components("Key") == ["f/b/2", "f/c/3", "f/d"] && rest.element("StartAfter") == "f/b/1")
        let empty = try list("f/", [("max-keys", "0")])
        #expect(empty.element("IsTruncated") == "false" && empty.element("KeyCount") == "0")
    }

    @Test("Listings follow uploads and deletions")
    func changes() throws {
        #expect(try list("f/").element("KeyCount") == "0")
        try put(["f/a", "f/b"])
        #expect(try list("f/").text.components("Key") == ["f/a", "f/b"])
        _ = try live.exchange(.deleteObject, "f/a")
        _ = try live.exchange(.putObject, "f/b", body: [1, 2, 3])
        #expect(try list("f/").text.components("Size") == ["3"])
    }

    @Test("Invalid parameters, a changed prefix, and version 1 of the operation are refused")
    func refusals() throws {
        for (query, status, code) in [
            ([("max-keys", "-1")], 400, "InvalidArgument"), ([("continuation-token", "x")], 400, "InvalidArgument"),
            ([("continuation-token", "")], 400, "InvalidArgument"),
            ([("uploads", "")], 501, "NotImplemented"), ([("versions", "")], 501, "NotImplemented"),
        ] as [([(name: String, value: String)], Int, String)] {
            let response = try list("a/", query)
            #expect(response.status == status && response.code == code, "\(response.text)")
        }
        let target = try live.target(.listObjectsV2(prefix: "a/"), "")
        #expect(try live.send("GET", target.replacing("prefix=a%2F", with: "prefix=")).code == "SignatureDoesNotMatch")
        #expect(try live.send("GET", target + "&prefix=").code == "SignatureDoesNotMatch")
        #expect(try live.send("GET", target.replacing("list-type=2", with: "list-type=1")).status == 403)
    }

    @Test("A page of an allowed origin may read a listing")
    func crossOrigin() throws {
        let response = try list("a/", headers: [("Origin", "https://app.example.com")])
        #expect(response["access-control-allow-origin"] == "https://app.example.com")
    }
}
