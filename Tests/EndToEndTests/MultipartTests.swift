import Foundation
import Testing

@Suite("Multipart uploads with presigned URLs only, on real servers", .realParts)
struct MultipartTests {
    /// The smallest part that S3 accepts, except for the last one.
    private static let partSize = 5 * 1024 * 1024

    @Test("Two parts, listed and completed, become one object", arguments: StorageKind.present)
    func complete(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let upload = try await Self.create(scenario)
            let parts = [Data(repeating: 0x61, count: Self.partSize), Data("the end".utf8)]
            var list = ""
            for (number, part) in zip(1..., parts) {
                let fields: [String: any Sendable] = ["uploadId": upload, "partNumber": number]
                let response = try await scenario.grant("PUT", "big file", fields).send(part)
                try #require(response.status == 200, "part \(number): \(response.text)")
                let tag = try #require(response.headers["etag"])
                list += "<Part><PartNumber>\(number)</PartNumber><ETag>\(tag)</ETag></Part>"
            }
            let listed = try await scenario.grant("GET", "big file", ["uploadId": upload]).send()
            #expect(listed.status == 200)
            #expect(listed.text.split(separator: "<PartNumber>").count == 3, "\(listed.text)")
            let completed = try await scenario.grant("POST", "big file", ["uploadId": upload])
                .send(Data("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
            #expect(completed.status == 200, "\(completed.text)")
            let downloaded = try await scenario.get("big file")
            #expect(downloaded.body == parts[0] + parts[1])
            #expect(downloaded.headers["content-type"] == "application/x-big")
        }
    }

    @Test("An aborted upload accepts no more parts and leaves nothing behind", arguments: StorageKind.present)
    func abort(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let upload = try await Self.create(scenario)
            let part: [String: any Sendable] = ["uploadId": upload, "partNumber": 1]
            let first = try await scenario.grant("PUT", "big file", part)
            #expect(try await first.send(Data("x".utf8)).status == 200)
            #expect(try await scenario.grant("DELETE", "big file", ["uploadId": upload]).send().status == 204)
            #expect(try await first.send(Data("x".utf8)).status == 404)
            #expect(try await scenario.storage.keys(under: scenario.prefix) == [])
        }
    }

    @Test("A part's URL allows neither another part number nor another upload", arguments: StorageKind.present)
    func otherPart(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let upload = try await Self.create(scenario)
            let grant = try await scenario.grant("PUT", "big file", ["uploadId": upload, "partNumber": 1])
            for (old, new) in [("partNumber=1", "partNumber=2"), ("uploadId=", "uploadId=0")] {
                var other = grant
                other.url = grant.url.replacing(old, with: new)
                try #require(other.url != grant.url)
                #expect(try await other.send(Data("x".utf8)).status == 403)
            }
        }
    }

    private static func create(_ scenario: Scenario) async throws -> String {
        let grant = try await scenario.grant("POST", "big file", ["contentType": "application/x-big"])
        let response = try await grant.send()
        try #require(response.status == 200, "create: \(response.text)")
        return try response.element("UploadId")
    }
}
