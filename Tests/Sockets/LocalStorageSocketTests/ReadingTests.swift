import SocketTestSupport
import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Downloads from the local storage")
struct ReadingTests {
    private let live: LiveStore
    private static let content = Array("0123456789".utf8)

    init() throws {
        live = try LiveStore()
        let signed = [(name: "content-type", value: "text/plain"), (name: "cache-control", value: "max-age=5")]
        _ = try live.exchange(.putObject, "key", signed: signed, body: Self.content)
    }

    static let ranges: [(String, Int, String, String?)] = [
        ("bytes=2-4", 206, "234", "bytes 2-4/10"), ("bytes=-3", 206, "789", "bytes 7-9/10"),
        ("bytes=8-", 206, "89", "bytes 8-9/10"), ("bytes=0-99", 206, "0123456789", "bytes 0-9/10"),
        ("bytes=1-2,4-5", 200, "0123456789", nil), ("rows=1-2", 200, "0123456789", nil),
    ]

    @Test("A range returns 206 with its bytes", arguments: ranges)
    func range(_ range: String, _ status: Int, _ body: String, _ contentRange: String?) throws {
        let response = try live.exchange(.getObject, "key", headers: [("Range", range)])
        #expect(response.status == status)
        #expect(response.text == body)
        #expect(response["content-range"] == contentRange)
        let head = try live.exchange(.headObject, "key", headers: [("Range", range)])
        #expect(head.status == status)
        #expect(head["content-length"] == "\(body.utf8.count)")
    }

    /// The number of a part, and its status, code, content and `Content-Range`.
    static let parts: [(key: StoragePath, number: String, status: Int, code: String?, body: String, range: String?)] = [
        ("key", "1", 206, nil, "0123456789", "bytes 0-9/10"), ("key", "2", 416, "InvalidPartNumber", "", nil),
        ("key", "10000", 416, "InvalidPartNumber", "", nil), ("key", "0", 400, "InvalidArgument", "", nil),
        ("key", "10001", 400, "InvalidArgument", "", nil), ("key", "x", 400, "InvalidArgument", "", nil),
        // Content-Range cannot express an empty part.
        ("empty", "1", 200, nil, "", nil), ("empty", "2", 416, "InvalidPartNumber", "", nil),
        ("missing", "1", 404, "NoSuchKey", "", nil),
        // An earlier version stored it in two parts, without their sizes.
        ("old", "1", 206, nil, "0123456789", "bytes 0-9/10"), ("old", "2", 416, "InvalidPartNumber", "", nil),
    ]

    @Test("An object that was not uploaded in parts has one part", arguments: parts)
    func part(
        _ key: StoragePath, _ number: String, _ status: Int, _ code: String?, _ body: String, _ range: String?
    ) throws {
        _ = try live.exchange(.putObject, "empty", body: [])
        try live.placeOldObject(Self.content)
        for operation in [AWSS3SigningOperation.getObject, .headObject] {
            let response = try live.exchange(operation, key, query: [("partNumber", number)])
            #expect(response.status == status, "\(response.text)")
            #expect(response["content-range"] == range && response["x-amz-mp-parts-count"] == nil)
            if operation.method == "GET" {
                #expect(response.code == code && (code != nil || response.text == body))
            } else if status < 300 {
                #expect(response["content-length"] == "\(body.utf8.count)")
            }
        }
    }

    @Test("A part cannot be combined with a range, and conditions precede it")
    func partAndRange() throws {
        let query = [(name: "partNumber", value: "1")]
        let both = try live.exchange(.getObject, "key", query: query, headers: [("Range", "bytes=0-1")])
        #expect(both.status == 400 && both.code == "InvalidRequest", "\(both.text)")
        #expect(both.element("Message") == "Cannot specify both Range header and partNumber query parameter")
        let tag = try #require(try live.exchange(.headObject, "key")["etag"])
        let unchanged = try live.exchange(.getObject, "key", query: query, headers: [("If-None-Match", tag)])
        #expect(unchanged.status == 304)
        let beyond = try live.exchange(.getObject, "key", query: [("partNumber", "7")])
        #expect(beyond.element("PartNumberRequested") == "7" && beyond.element("ActualPartCount") == "1")
    }

    @Test("A range outside of the object gets 416 with the object's size")
    func unsatisfiable() throws {
        let response = try live.exchange(.getObject, "key", headers: [("Range", "bytes=10-")])
        #expect(response.status == 416)
        #expect(response.code == "InvalidRange")
        #expect(response["content-range"] == "bytes */10")
        #expect(response.element("ActualObjectSize") == "10")
    }

    @Test("Conditions give 304 without a body, or 412")
    func conditions() throws {
        let get = try live.exchange(.getObject, "key")
        let tag = try #require(get["etag"])
        let modified = try #require(get["last-modified"])
        for (name, value) in [("If-None-Match", tag), ("If-Modified-Since", modified)] {
            for operation in [AWSS3SigningOperation.getObject, .headObject] {
                let response = try live.exchange(operation, "key", headers: [(name, value)])
                #expect(response.status == 304)
                #expect(response["etag"] == tag)
                #expect(response["cache-control"] == "max-age=5")
                #expect(response.body.isEmpty)
            }
        }
        let failed = try live.exchange(.getObject, "key", headers: [("If-Match", "\"x\"")])
        #expect(failed.status == 412)
        #expect(failed.element("Condition") == "If-Match")
        #expect(try live.exchange(.getObject, "missing", headers: [("If-Match", "\"x\"")]).status == 404)
    }

    @Test("The URL can override response headers")
    func overrides() throws {
        let response = try live.exchange(
            .getObject, "key",
            query: [
                ("response-content-type", "application/x-a"),
                ("response-content-disposition", "attachment; filename=\"a b\""),
                ("response-cache-control", "no-store"), ("response-expires", "0"), ("response-content-language", "de"),
                ("response-content-encoding", "identity"),
            ])
        #expect(response["content-type"] == "application/x-a")
        #expect(response["content-disposition"] == "attachment; filename=\"a b\"")
        #expect(response["cache-control"] == "no-store")
        #expect(response["expires"] == "0")
        #expect(response["content-language"] == "de")
        #expect(response["content-encoding"] == "identity")
        let split = try live.exchange(.getObject, "key", query: [("response-content-type", "a\r\nx-evil: 1")])
        #expect(split.status == 400)
        #expect(split.code == "InvalidArgument")
        #expect(split["x-evil"] == nil)
    }

    @Test("An object without a type is binary, and a connection serves several requests")
    func keepAlive() throws {
        _ = try live.exchange(.putObject, "bare", body: [1])
        let client = try RawClient(port: live.port)
        for _ in 0..<3 {
            let target = try live.target(.getObject, "bare")
            client.send(Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(live.port)\r\n\r\n".utf8))
            let response = try #require(try client.response())
            #expect(response["content-type"] == "binary/octet-stream")
            #expect(response.body == [1])
        }
    }
}
