import Requests
import TestSupport
import Testing

@testable import DataFormats
@testable import PresignTools

@Suite("Batches of explain")
struct LineDeciderTests {
    private static let yaml = """
        rules:
          - path: own/{identity}/**
            allow: {owner: [read], "group:a+b": [write], "group:5": [delete], "caller:k": [delete]}
            expires: {default: 5m, max: 15m}
          - {path: "in/*", allow: {everyone: [write]}, write: {types: [image/*], maxSize: 1k, overwrite: false}}
          - {path: "old/**", store: archive, allow: {everyone: [get]}}
          - {path: "big/*", allow: {everyone: [multipart]}, write: {maxSize: 11m}, multipart: {partSize: 5m}}
        """

    private func response(_ line: String) throws -> String {
        var batch = LineDecider(try PolicyFile(parsing: Array(Self.yaml.utf8), file: "p.yaml"))
        return String(decoding: batch.response(to: Array(line.utf8)[...]), as: UTF8.self)
    }

    @Test(
        "Each line of input produces one line of output",
        arguments: [
            (
                #"{"who":{"identity":"x"},"action":"get","path":"own/x/f"}"#,
                #"{"status":200,"rule":"own/{identity}/**","at":"p.yaml:2:11","reason":null,"fields":[],"expiresIn":300,"ifNoneMatch":false}"#
            ),
            (
                #"{"id":7,"who":{"identity":"x"},"action":"get","path":"own/x/f","expiresIn":901}"#,
                #"{"id":7,"status":422,"rule":"own/{identity}/**","at":"p.yaml:2:11","reason":["expiresIn"],"fields":["expiresIn"]}"#
            ),
            (
                #"{"who":null,"action":"write","path":"in/f","contentType":"a/b","contentLength":1025}"#,
                #"{"status":422,"rule":"in/*","at":"p.yaml:5:12","reason":["contentType","contentLength"],"fields":["contentType","contentLength"]}"#
            ),
            (
                #"{"who":null,"action":"write","path":"in/f","contentType":"image/png","contentLength":1,"expiresIn":604801}"#,
                #"{"status":400,"rule":"in/*","at":"p.yaml:5:12","reason":"expiresIn","fields":["expiresIn"]}"#
            ),
            (
                #"{"who":null,"action":"multipart","step":"part","path":"big/f","partNumber":2,"contentLength":5242880}"#,
                #"{"status":200,"rule":"big/*","at":"p.yaml:7:12","reason":null,"fields":[],"expiresIn":18000,"ifNoneMatch":false}"#
            ),
            (
                #"{"who":null,"action":"multipart","step":"part","path":"big/f","partNumber":4,"contentLength":1}"#,
                #"{"status":422,"rule":"big/*","at":"p.yaml:7:12","reason":["partNumber"],"fields":["partNumber"]}"#
            ),
            (
                #"{"who":null,"action":"multipart","step":"complete","path":"big/f","partNumber":4}"#,
                #"{"error":"partNumber: applies only to the step part"}"#
            ),
            (
                #"{"who":null,"action":"get","path":"old/f"}"#,
                #"{"status":401,"rule":null,"reason":"no-rule","fields":[]}"#
            ),
            (
                #"{"who":{"caller":"k"},"action":"get","path":"a/./f"}"#,
                #"{"status":400,"rule":null,"reason":"path","fields":["path"]}"#
            ),
        ])
    func lines(line: String, expected: String) throws {
        #expect(try response(line) == expected + "\n")
    }

    @Test(
        "Callers",
        arguments: [
            (#"{"identity":"x"}"#, "get", 200), (#"{"identity":null}"#, "get", 403), (#"{}"#, "get", 403),
            // An identity that is not a string never matches; numbers among groups and claims count as text.
            (#"{"identity":7}"#, "get", 403), (#"{"groups":["a+b"]}"#, "write", 200),
            (#"{"groups":[1,"a+b"]}"#, "write", 200),
            (#"{"groups":[5]}"#, "delete", 200), (#"{"groups":["5"]}"#, "delete", 200),
            (#"{"groups":[5.5]}"#, "delete", 403), (#"{"groups":null}"#, "write", 403),
            (#"{"caller":"k","identity":null,"groups":[]}"#, "delete", 200),
            (#"{"identity":"k","claims":{"x":1}}"#, "delete", 403), ("null", "get", 401),
        ])
    func who(who: String, action: String, status: Int) throws {
        let response = try response(#"{"who":\#(who),"action":"\#(action)","path":"own/x/f"}"#)
        #expect(response.hasPrefix(#"{"status":\#(status),"#))
    }

    @Test(
        "Settings and versions are decided, and the headers that the rule adds are shown",
        arguments: [
            (#""action":"write","cacheControl":"no-store""#, #""headers":{"x-amz-tagging":"scan=pending"}"#),
            (#""action":"write","tagging":{"scan":"done"}"#, #""fields":["tagging"]"#),
            (#""action":"write","storageClass":"GLACIER""#, #""fields":["storageClass"]"#),
            (#""action":"multipart","step":"part""#, #""fields":["checksum"]"#),
            (#""action":"multipart","step":"create","checksumAlgorithm":"SHA1""#, #""fields":["checksumAlgorithm"]"#),
            (
                #""action":"multipart","step":"create""#,
                #""headers":{"x-amz-tagging":"scan=pending","x-amz-checksum-algorithm":"SHA256"}"#
            ),
            (#""action":"get","versionId":"1""#, #""fields":["versionId"]"#),
            (#""action":"write","metadata":{"a":1}"#, #""error":"metadata.a: must be a string""#),
            (#""action":"write","checksumAlgorithm":"MD5""#, #""error":"checksumAlgorithm: must be one of CRC32"#),
        ])
    func settings(members: String, part: String) throws {
        let yaml = """
            rules:
              - path: a
                allow: {everyone: [get, write, multipart]}
                write: {checksum: sha256, set: {tagging: {scan: pending}}}
            """
        var batch = LineDecider(try PolicyFile(parsing: Array(yaml.utf8), file: "p.yaml"))
        let checksum = members.contains("multipart") ? "" : #","checksum":"sha256""#
        let line = #"{"who":null,"path":"a",\#(members)\#(checksum)}"#
        let response = String(decoding: batch.response(to: Array(line.utf8)[...]), as: UTF8.self)
        #expect(response.contains(part), "\(response)")
    }

    @Test("Without `stores`, the stores are those of the rules and the default store")
    func stores() throws {
        #expect(try response(#"{"who":null,"action":"get","path":"old/f","store":"archive"}"#).contains("200"))
        #expect(try response(#"{"who":null,"action":"get","path":"old/f","store":"other"}"#).contains("no-rule"))
        #expect(try response(#"{"who":null,"action":"get","path":"in/f","store":"archive"}"#).contains("no-rule"))
    }

    @Test(
        "An invalid line produces an error with its id",
        arguments: [
            ("", "null", "not a JSON object"), ("[]", "null", "must be an object"),
            (#"{"id":"q","who":null}"#, #""q""#, "action: is missing"),
            (#"{"action":"get"}"#, "null", "who: is missing"),
            (#"{"who":null,"action":"put","path":"a"}"#, "null", "action: must be one of get, list"),
            (#"{"who":null,"action":"get"}"#, "null", "path: is missing"),
            (#"{"who":null,"action":"get","path":1}"#, "null", "path: must be a string"),
            (#"{"who":null,"action":"get","path":"a","contenttype":"a/b"}"#, "null", "contenttype: unknown field"),
            (#"{"who":{"sub":"a"},"action":"get","path":"a"}"#, "null", "who.sub: unknown field"),
            (#"{"who":"a","action":"get","path":"a"}"#, "null", "who: must be an object"),
            (#"{"who":{"groups":"a"},"action":"get","path":"a"}"#, "null", "groups: must be a list"),
            (#"{"who":null,"action":"get","path":"a","expiresIn":1.5}"#, "null", "expiresIn: must be a whole number"),
            (#"{"who":null,"who":{},"action":"get","path":"a"}"#, "null", "duplicate name"),
        ])
    func failures(line: String, id: String, message: String) throws {
        var batch = LineDecider(try PolicyFile(parsing: Array(Self.yaml.utf8), file: "p.yaml"))
        let response = try JSONValue(parsing: batch.response(to: Array(line.utf8)[...]))
        #expect(batch.failures == 1)
        #expect(response["id"] ?? .null == (try JSONValue(parsing: Array(id.utf8))))
        let error = try #require(response["error"]?.string)
        #expect(String(decoding: error, as: UTF8.self).contains(message))
    }

    @Test("All cases of the test file pass")
    func cases() throws {
        let file = try PolicyFile(parsing: try Repository.bytes(of: "Tests/Cases/rules-policy.yaml"), file: "p.yaml")
        let tests = try RuleTestFile(parsing: try Repository.bytes(of: "Tests/Cases/rules.json"), file: "rules.json")
        #expect(tests.cases.count >= 44)
        for test in tests.cases {
            #expect(test.differences(from: file.verdict(on: test.request)) == [], "\(test.title)")
        }
    }

    @Test(
        "What a storage is known to refuse gets the status of the service, and a note with the reason",
        arguments: [
            ("aws", #""contentLength":5368709121"#, 422, "use a multipart upload"),
            ("aws", #""contentLength":5368709120"#, 200, ""), ("other", #""contentLength":5368709121"#, 200, ""),
            ("aws", #""storageClass":"GLACIR""#, 422, "did you mean `GLACIER`?"),
            ("other", #""storageClass":"COLD""#, 200, ""),
            // The rules decide first.
            ("aws", #""contentLength":5368709121,"kmsKeyId":"k""#, 422, ""),
        ] as [(String, String, Int, String)])
    func storages(store: String, members: String, status: Int, reason: String) throws {
        let yaml = """
            stores:
              aws: {bucket: media, region: eu-west-1, default: true}
              other: {bucket: media, region: eu-west-1, endpoint: "http://127.0.0.1:9000"}
            rules:
              - {path: "a/*", allow: {everyone: [write]}, write: {accept: [storageClass]}}
              - {path: "a/*", store: other, allow: {everyone: [write]}, write: {accept: [storageClass]}}
            """
        var decider = LineDecider(try PolicyFile(parsing: Array(yaml.utf8), file: "p.yaml"))
        let line = #"{"who":null,"action":"write","path":"a/x","store":"\#(store)",\#(members)}"#
        let response = String(decoding: decider.response(to: Array(line.utf8)[...]), as: UTF8.self)
        #expect(response.hasPrefix(#"{"status":\#(status),"rule":"a/*""#), "\(response)")
        #expect(response.contains(reason) && response.contains(#""note""#) == !reason.isEmpty, "\(response)")
    }

    @Test("Response headers are checked as in a request")
    func overrides() throws {
        let line = #"{"who":null,"action":"get","path":"in/f","responseContentDisposition":"attachment; filename=é"}"#
        #expect(try response(line).contains("send `attachment; filename*=UTF-8''%C3%A9`"))
    }
}
