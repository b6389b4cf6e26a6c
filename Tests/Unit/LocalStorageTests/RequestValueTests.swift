import Testing

@testable import HTTP1
@testable import LocalStorage
@testable import Presigning
@testable import System

/// A request with these headers.
func request(
    _ method: String = "GET", _ path: String = "/local/key", query: String? = nil,
    _ headers: [(name: String, value: String)] = []
) throws -> S3Request {
    try S3Request(
        HTTPRequest(
            method: HTTPMethod(token: method.utf8.span), path: Array(path.utf8)[...],
            query: query.map { Array($0.utf8)[...] },
            headers: HTTPHeaders(headers)))
}

@Suite("Values of S3 requests")
struct RequestValueTests {
    /// A Range header, and what it selects of ten bytes and of none. nil: not satisfiable; "all": ignored.
    static let ranges: [(String, of10: String, of0: String)] = [
        ("bytes=0-0", "0..<1", "none"), ("bytes=2-5", "2..<6", "none"), ("bytes=9-", "9..<10", "none"),
        ("bytes=0-99", "0..<10", "none"), ("bytes=-3", "7..<10", "none"), ("bytes=-99", "0..<10", "none"),
        ("bytes=10-", "none", "none"), ("bytes=10-12", "none", "none"), ("bytes=-0", "none", "none"),
        ("BYTES=1-2", "1..<3", "none"), ("bytes= 1-2 ", "1..<3", "none"),
        ("bytes=3-99999999999999999999999999", "3..<10", "none"), ("bytes=99999999999999999999-", "none", "none"),
        ("bytes=-99999999999999999999", "0..<10", "none"),
        ("bytes=3-9223372036854775807", "3..<10", "none"), ("bytes=9223372036854775807-", "none", "none"),
        ("bytes=0000000000000000000001-2", "1..<3", "none"),
        ("bytes=5-2", "all", "all"), ("bytes=1-2,4-5", "all", "all"), ("bytes=", "all", "all"),
        ("bytes=-", "all", "all"), ("bytes=a-b", "all", "all"), ("bytes=+1-2", "all", "all"),
        ("items=0-1", "all", "all"), ("bytes 0-1", "all", "all"), ("", "all", "all"),
    ]

    @Test("A Range header selects bytes, is ignored, or is not satisfiable", arguments: ranges)
    func range(_ text: String, _ of10: String, _ of0: String) {
        func selected(_ length: Int) -> String {
            guard let range = RangeHeader(Array(text.utf8)) else { return "all" }
            return range.range(in: length).map { "\($0)" } ?? "none"
        }
        #expect(selected(10) == of10)
        #expect(selected(0) == of0)
    }

    @Test("Repeated headers are one list, in the order of the request and whatever their case")
    func repeated() throws {
        let request = try LocalStorageTests.request(
            "PUT", "/local/key",
            [
                ("X-Amz-Meta-A", "1"), ("Host", "h"), ("x-amz-meta-a", "2, 3"), ("x-amz-meta-b", ""),
                ("X-AMZ-META-A", "4"),
            ])
        #expect(
            request.headers.map { String(decoding: $0.name, as: UTF8.self) } == [
                "x-amz-meta-a", "host", "x-amz-meta-b",
            ])
        #expect(request.header("x-amz-meta-a") == Array("1,2, 3,4".utf8))
        #expect(request.header("x-amz-meta-b") == [] && request.header("x-amz-meta-c") == nil)
    }

    static let now = SigningTime(secondsSince1970: 1_800_000_000)
    private static let (tag, modified) = (Array("abc".utf8), SigningTime(secondsSince1970: 784_111_777))
    private static let (same, before) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT")
    /// RFC 9110, section 13.2.2, row by row; the object has the ETag abc and was modified at `same`.
    static let conditions: [([(name: String, value: String)], Conditions.Outcome)] = [
        ([], .proceed),
        ([("If-Match", "\"abc\"")], .proceed), ([("If-Match", "abc")], .proceed), ([("If-Match", "*")], .proceed),
        ([("If-Match", "\"x\", \"abc\"")], .proceed), ([("If-Match", "\"x\"")], .failed("If-Match")),
        ([("If-Match", "W/\"abc\"")], .failed("If-Match")), ([("If-Match", "")], .failed("If-Match")),
        ([("If-Unmodified-Since", same)], .proceed),
        ([("If-Unmodified-Since", before)], .failed("If-Unmodified-Since")),
        ([("If-Unmodified-Since", "yesterday")], .proceed),
        ([("If-Match", "\"abc\""), ("If-Unmodified-Since", before)], .proceed),
        ([("If-None-Match", "\"abc\"")], .notModified), ([("If-None-Match", "W/\"abc\"")], .notModified),
        ([("If-None-Match", "*")], .notModified), ([("If-None-Match", "\"x\"")], .proceed),
        ([("If-Modified-Since", same)], .notModified), ([("If-Modified-Since", before)], .proceed),
        ([("If-Modified-Since", "tomorrow")], .proceed),
        ([("If-None-Match", "\"x\""), ("If-Modified-Since", same)], .proceed),
        ([("If-None-Match", "\"abc\""), ("If-Modified-Since", before)], .notModified),
        ([("If-Match", "\"x\""), ("If-None-Match", "\"abc\"")], .failed("If-Match")),
        ([("If-Match", "\"abc\""), ("If-None-Match", "\"abc\"")], .notModified),
    ]

    @Test("Conditions are evaluated in the order of RFC 9110", arguments: conditions)
    func condition(_ headers: [(name: String, value: String)], _ outcome: Conditions.Outcome) throws {
        let conditions = Conditions(try request("GET", "/local/key", headers), at: Self.now)
        #expect(conditions.outcome(entityTag: Self.tag, lastModified: Self.modified) == outcome)
    }

    static let ifRanges: [(String, Bool)] = [
        ("\"abc\"", true), ("\"x\"", false), ("W/\"abc\"", false), (same, true), (before, false), ("rubbish", false),
    ]

    @Test("If-Range applies the range only to exactly the same version", arguments: ifRanges)
    func ifRange(_ condition: String, _ keeps: Bool) throws {
        let request = try request("GET", "/local/key", [("Range", "bytes=0-1"), ("If-Range", condition)])
        let range = RangeHeader.requested(request, entityTag: Self.tag, lastModified: Self.modified, at: Self.now)
        #expect((range != nil) == keeps)
    }

    static let paths: [(path: String, bucket: String, key: String)] = [
        ("/local/key", "local", "key"), ("/local/a/b", "local", "a/b"), ("/local//a", "local", "/a"),
        ("/local/", "local", ""), ("/local", "local", ""), ("/", "", ""), ("/local/a%2Fb", "local", "a/b"),
        ("/local%2Fkey", "local/key", ""), ("/l%6Fcal/%2E%2E/x", "local", "../x"), ("/local/a+b", "local", "a+b"),
        ("/local/../other/x", "local", "../other/x"),
    ]

    @Test("Bucket and key are taken from the path and decoded once", arguments: paths)
    func path(_ path: String, _ bucket: String, _ key: String) throws {
        let request = try request("GET", path)
        #expect(request.bucket == Array(bucket.utf8))
        #expect(request.key == Array(key.utf8))
    }

    @Test("Invalid escapes are rejected", arguments: ["/local/%", "/local/%4", "/local/%zz", "/%zz/key"])
    func badEscape(_ path: String) {
        #expect { try request("GET", path) } throws: { ($0 as? S3Error)?.code == "InvalidURI" }
    }

    static let operations: [(String, String?, String)] = [
        ("GET", nil, "getObject"), ("HEAD", "x-id=HeadObject", "headObject"), ("PUT", "foo=bar", "putObject"),
        ("DELETE", "", "deleteObject"), ("POST", "uploads", "createUpload"), ("POST", "uploads=", "createUpload"),
        ("PUT", "uploadId=a&partNumber=10000", "uploadPart"), ("GET", "uploadId=a", "listParts"),
        ("POST", "uploadId=a", "completeUpload"), ("DELETE", "uploadId=a", "abortUpload"),
        ("PUT", "uploadId=a&partNumber=0", "InvalidArgument"),
        ("PUT", "uploadId=a&partNumber=10001", "InvalidArgument"),
        ("PUT", "uploadId=a&partNumber=x", "InvalidArgument"), ("PUT", "uploadId=a", "MethodNotAllowed"),
        ("PATCH", nil, "MethodNotAllowed"), ("POST", nil, "MethodNotAllowed"), ("GET", "uploads", "MethodNotAllowed"),
        ("GET", "acl", "objectACL"), ("PUT", "acl", "NotImplemented"), ("GET", "tagging", "objectTagging"),
        ("PUT", "tagging", "NotImplemented"), ("HEAD", "tagging", "NotImplemented"),
        ("DELETE", "tagging", "NotImplemented"), ("GET", "tagging&versionId=1", "NotImplemented"),
        ("GET", "attributes", "NotImplemented"), ("GET", "retention", "NotImplemented"),
        ("GET", "legal-hold", "NotImplemented"), ("GET", "torrent", "NotImplemented"),
        ("GET", "versionId=1", "NotImplemented"),
        ("GET", "partNumber=1", "getObject"), ("HEAD", "partNumber=10000", "headObject"),
        ("GET", "partNumber=0", "InvalidArgument"), ("HEAD", "partNumber=", "InvalidArgument"),
        ("PUT", "partNumber=1", "InvalidArgument"), ("DELETE", "partNumber=1", "InvalidArgument"),
        ("GET", "ACL", "getObject"),
        ("GET", "list-type=2", "NotImplemented"),
    ]

    static let bucketOperations: [(String, String?, String)] = [
        ("HEAD", nil, "headBucket"), ("GET", nil, "listObjectsV1"), ("GET", "list-type=2", "listObjects"),
        ("GET", "list-type=1", "NotImplemented"), ("GET", "location", "bucketLocation"),
        ("GET", "versioning", "bucketVersioning"), ("GET", "acl", "bucketACL"), ("GET", "uploads", "listUploads"),
        ("POST", "delete", "deleteObjects"), ("GET", "acl&versioning", "NotImplemented"),
        ("PUT", "versioning", "NotImplemented"), ("PUT", "acl", "NotImplemented"),
        ("GET", "uploads&list-type=2", "NotImplemented"), ("DELETE", nil, "NotImplemented"),
        ("PUT", nil, "BucketAlreadyOwnedByYou"),
    ]

    @Test("So it does for buckets", arguments: bucketOperations)
    func bucketOperation(_ method: String, _ query: String?, _ name: String) throws {
        try operation(method, query, name, "/local")
    }

    @Test("Method and subresource select the operation", arguments: operations)
    func operation(_ method: String, _ query: String?, _ name: String) throws {
        try operation(method, query, name, "/local/key")
    }

    private func operation(_ method: String, _ query: String?, _ name: String, _ path: String) throws {
        var found: String
        do {
            found = "\(try S3Operation(try request(method, path, query: query)))"
        } catch let error as S3Error {
            found = error.code
            #expect((error.code == "MethodNotAllowed") == (error.header != nil))
        }
        #expect(found.prefix { $0 != "(" } == name)
    }

    @Test(
        "A key that is too long however it decodes is refused before it is decoded",
        arguments: [(3072, "InvalidURI"), (3073, "KeyTooLongError")])
    func encodedKeyLength(count: Int, code: String) {
        let error = #expect(throws: S3Error.self) {
            try request("GET", "/local/" + String(repeating: "k", count: count - 1) + "%")
        }
        #expect(error?.code == code)
    }

    @Test("A key has 1 to 1,024 bytes")
    func keyLength() throws {
        #expect(
            try S3Operation(try request("GET", "/local/" + String(repeating: "%00", count: 1024)))
                == .getObject(part: nil))
        #expect {
            try S3Operation(try request("GET", "/local/" + String(repeating: "k", count: 1025)))
        } throws: { ($0 as? S3Error)?.code == "KeyTooLongError" }
        #expect(try S3Operation(try request("GET", "/local/")) == .listObjectsV1)
    }
}
