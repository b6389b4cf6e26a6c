import Foundation
import Testing

@Suite("Settings, checksums and versions, on real servers", .realParts)
struct SettingTests {
    private static let fields: [String: any Sendable] = [
        "metadata": ["Owner": "a caller", "n": "42"], "cacheControl": "max-age=60, private",
        "contentDisposition": "attachment; filename=\"cat.svg\"", "contentEncoding": "identity",
        "contentLanguage": "en",
    ]
    private static let stored = [
        "x-amz-meta-owner": "a caller", "x-amz-meta-n": "42", "cache-control": "max-age=60, private",
        "content-disposition": "attachment; filename=\"cat.svg\"", "content-encoding": "identity",
        "content-language": "en",
    ]

    private static func expectStored(_ scenario: Scenario, _ path: String) async throws {
        let response = try await scenario.grant("HEAD", path).send()
        for (name, value) in stored { #expect(response.headers[name] == value, "\(name)") }
    }

    @Test("What describes the content is stored by PUT", arguments: StorageKind.present)
    func put(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let grant = try await scenario.grant("PUT", "cat.svg", Self.fields)
            var careless = grant
            careless.headers["x-amz-meta-n"] = "43"
            #expect(try await careless.send(Data("x".utf8)).status == 403)
            let response = try await grant.send(Data("x".utf8))
            #expect(response.status == 200, "\(response.text)")
            try await Self.expectStored(scenario, "cat.svg")
        }
    }

    @Test("A multipart upload gets the settings of its creation", arguments: StorageKind.present)
    func multipart(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let upload = try await scenario.grant("POST", "cat.svg", Self.fields).send().element("UploadId")
            try await Self.finish(scenario, "cat.svg", upload, part: [:], list: "")
            try await Self.expectStored(scenario, "cat.svg")
        }
    }

    @Test(
        "A rule's checksum covers every part, and the object has the checksum of the checksums",
        arguments: StorageKind.present)
    func checksums(kind: StorageKind) async throws {
        let rule = "{path: \"*/checked/*\", allow: {authenticated: [get, multipart]}, write: {checksum: sha256}}"
        try await Scenario.run(on: kind, rules: [rule]) { scenario in
            let created = try await scenario.grant("POST", "checked/a")
            #expect(created.headers["x-amz-checksum-algorithm"] == "SHA256")
            let upload = try await created.send().element("UploadId")
            let digest = Sample.abcSHA256
            try await Self.finish(
                scenario, "checked/a", upload, part: ["checksumSHA256": digest],
                list: "<ChecksumSHA256>\(digest)</ChecksumSHA256>")
            let response = try await scenario.grant("HEAD", "checked/a", ["checksumMode": "ENABLED"]).send()
            // SHA-256 of the 32 bytes of the part's checksum. Swift stores no checksums.
            let composite = "T4tCwi3TcptRm6b2jS2nzFstYG0F2u1a1RKMwD5sY1g=-1"
            #expect(response.status == 200)
            #expect(response.headers["x-amz-checksum-sha256"] == (kind == .swift ? nil : composite))
        }
    }

    /// Uploads the only part, `abc`, and completes the upload.
    private static func finish(
        _ scenario: Scenario, _ path: String, _ upload: String, part: [String: any Sendable], list: String
    ) async throws {
        let fields = part.merging(["uploadId": upload, "partNumber": 1]) { $1 }
        let sent = try await scenario.grant("PUT", path, fields).send(Data("abc".utf8))
        let tag = try #require(sent.headers["etag"], "\(sent.text)")
        let parts = "<Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag>\(list)</Part>"
        let completed = try await scenario.grant("POST", path, ["uploadId": upload])
            .send(Data("<CompleteMultipartUpload>\(parts)</CompleteMultipartUpload>".utf8))
        try #require(completed.status == 200, "\(completed.text)")
    }

    @Test("Tags are stored where the rule accepts them", arguments: StorageKind.present.filter { $0 != .swift })
    func tags(kind: StorageKind) async throws {
        let rule = """
            {path: "*/tagged/*", allow: {authenticated: [get, write]}, \
            write: {accept: [tagging], set: {tagging: {scan: pending}}}}
            """
        try await Scenario.run(on: kind, rules: [rule]) { scenario in
            try await scenario.put("x", at: "tagged/a", ["tagging": ["project": "a b"]])
            #expect(try await scenario.get("tagged/a").headers["x-amz-tagging-count"] == "2")
            #expect(try await scenario.ask("PUT", "tagged/a", ["tagging": ["scan": "done"]]).status == 422)
            #expect(try await scenario.ask("PUT", "a", ["tagging": ["project": "x"]]).status == 422)
        }
    }

    @Test("An access control list is signed where the rule accepts or sets it", arguments: StorageKind.present)
    func accessControlLists(kind: StorageKind) async throws {
        let rules = [
            "{path: \"*/chosen/*\", allow: {authenticated: [get, write, multipart]}, write: {accept: [acl]}}",
            "{path: \"*/owned/*\", allow: {authenticated: [get, write]}, write: {set: {acl: private}}}",
        ]
        try await Scenario.run(on: kind, rules: rules) { scenario in
            let grant = try await scenario.grant("PUT", "chosen/a", ["acl": "private"])
            #expect(grant.headers["x-amz-acl"] == "private")
            for list in ["public-read", nil] {
                var changed = grant
                changed.headers["x-amz-acl"] = list
                #expect(try await changed.send(Data("x".utf8)).status == 403)
            }
            #expect(try await grant.send(Data("x".utf8)).status == 200)
            let upload = try await scenario.grant("POST", "chosen/b", ["acl": "private"]).send().element("UploadId")
            try await Self.finish(scenario, "chosen/b", upload, part: [:], list: "")
            #expect(try await scenario.grant("PUT", "owned/a").headers["x-amz-acl"] == "private")
            try await scenario.put("x", at: "owned/a")
            #expect(try await scenario.ask("PUT", "owned/a", ["acl": "public-read"]).status == 422)
            #expect(try await scenario.ask("PUT", "a", ["acl": "private"]).status == 422)
        }
    }

    @Test(
        "A version is read by its id where the rule allows it",
        .enabled(if: StorageKind.present.contains(.seaweedfs), "needs PRESIGN_E2E_SEAWEEDFS; Tests/run.sh sets it"))
    func versions() async throws {
        let server = try StorageKind.seaweedfs.server
        let bucket = "versions-\(UUID().uuidString.lowercased())"
        for action in ["make-bucket", "keep-versions"] { try await server.run("s3_request.py", [action, bucket]) }
        let rule = "{path: \"*/kept/*\", allow: {authenticated: [get, write]}, read: {versions: true}}"
        try await Scenario.run(on: .seaweedfs, store: ["bucket": bucket], rules: [rule]) { scenario in
            let first = try await scenario.grant("PUT", "kept/a").send(Data("first".utf8))
            let version = try #require(first.headers["x-amz-version-id"])
            try await scenario.put("second", at: "kept/a")
            #expect(try await scenario.get("kept/a").text == "second")
            let grant = try await scenario.grant("GET", "kept/a", ["versionId": version])
            #expect(try await grant.send().text == "first")
            let checked: [String: any Sendable] = ["versionId": version, "validateObjectExistence": true]
            #expect(try await scenario.grant("GET", "kept/a", checked).send().text == "first")
            #expect(try await scenario.grant("HEAD", "kept/a", ["versionId": version]).send().status == 200)
            var other = grant
            other.url = grant.url.replacing(version, with: "null")
            #expect(try await other.send().status == 403)
            #expect(try await scenario.ask("GET", "a", ["versionId": version]).status == 422)
        }
    }
}
