import Foundation
import Testing

@Suite("Upload ids at another key than their own", .realParts)
struct UploadIDTests {
    private static let rule = """
        {path: "*/strict/*", allow: {authenticated: [get, multipart]}, write: {types: [image/png], maxSize: 3}, \
        multipart: {partSize: 5m}}
        """

    /// The upload that an attack created where no limit applies.
    private struct Upload {
        let id: String
        let list: Data
    }

    /// Creates an upload at a key without limits, and uploads a part. The rule for `strict` allows neither its type nor
    /// its size.
    private static func create(_ scenario: Scenario) async throws -> Upload {
        #expect(try await scenario.ask("POST", "strict/film", ["contentType": "text/html"]).status == 422)
        let created = try await scenario.grant("POST", "lax/film", ["contentType": "text/html"]).send()
        let part: [String: any Sendable] = ["uploadId": try created.element("UploadId"), "partNumber": 1]
        #expect(try await scenario.ask("PUT", "strict/film", part.merging(["contentLength": 6]) { $1 }).status == 422)
        let sent = try await scenario.grant("PUT", "lax/film", part).send(Data("abcdef".utf8))
        let tag = try #require(sent.headers["etag"])
        let list =
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part>"
            + "</CompleteMultipartUpload>"
        return Upload(id: try created.element("UploadId"), list: Data(list.utf8))
    }

    private static func complete(
        _ upload: Upload, at path: String, _ scenario: Scenario
    ) async throws -> HTTP.Response {
        try await scenario.grant("POST", path, ["uploadId": upload.id]).send(upload.list)
    }

    /// The warning of `check-config` for the service's configuration.
    private static func warning(_ service: PresignProcess) async throws -> Bool {
        let check = try await service.run(["check-config", service.configuration.path()])
        return check.output.contains("set `uploadIds: bound` if the server refuses that")
    }

    @Test("A storage that does not bind them lets an upload pass the limits of a rule, and check-config warns")
    func unbound() async throws {
        let actions = ["s3:PutObject", "s3:GetObject"]
        try await HonouringStorage.run(keys: ["AKID": ("secret", actions)]) { endpoint in
            try await PresignProcess.serving(
                store: ["bucket": "bucket", "region": "us-east-1", "endpoint": endpoint],
                environment: ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "secret"], rules: [Self.rule]
            ) { service in
                let scenario = Scenario(storage: StorageServer(lines: ""), service: service, prefix: "e2e/")
                let upload = try await Self.create(scenario)
                #expect(try await Self.complete(upload, at: "strict/film", scenario).status == 200)
                #expect(try await scenario.get("strict/film").text == "abcdef")
                #expect(try await Self.warning(service))
            }
        }
    }

    @Test(
        "The other storages refuse it, and the upload can still be completed at its key", arguments: StorageKind.present
    )
    func bound(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: ["uploadIds": "bound"], rules: [Self.rule]) { scenario in
            let upload = try await Self.create(scenario)
            let refused = try await Self.complete(upload, at: "strict/film", scenario)
            #expect(try refused.status == 404 && refused.element("Code") == "NoSuchUpload")
            #expect(try await scenario.get("strict/film").status == 404)
            #expect(try await Self.complete(upload, at: "lax/film", scenario).status == 200)
            #expect(try await scenario.get("lax/film").text == "abcdef")
            #expect(try await !Self.warning(scenario.service))
        }
    }
}
