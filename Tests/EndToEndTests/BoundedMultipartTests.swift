import Foundation
import Testing

@Suite("A rule with partSize bounds multipart uploads on real servers", .realParts)
struct BoundedMultipartTests {
    private static let mebibyte = 1 << 20
    private static let (partSize, maxSize) = (5 * mebibyte, 11 * mebibyte)
    /// The largest parts that the rule allows; they add up to `maxSize`.
    private static let largest = [1: partSize, 2: partSize, 3: mebibyte]

    private static let path = "bounded/film"
    private static let rule = """
        {path: "*/bounded/*", allow: {authenticated: [get, multipart]}, write: {types: [image/*], maxSize: 11m}, \
        multipart: {partSize: 5m}}
        """

    private static func run(
        on kind: StorageKind, _ body: (Scenario, _ upload: String) async throws -> Void
    ) async throws {
        try await Scenario.run(on: kind, rules: [rule]) { scenario in
            #expect(try await scenario.ask("POST", path, ["contentType": "text/html"]).status == 422)
            let created = try await scenario.grant("POST", path, ["contentType": "image/gif"]).send()
            try #require(created.status == 200, "create: \(created.text)")
            try await body(scenario, try created.element("UploadId"))
        }
    }

    private static func ask(
        _ scenario: Scenario, _ upload: String, _ number: Int, _ length: Int?
    ) async throws -> HTTP.Response {
        var fields: [String: any Sendable] = ["uploadId": upload, "partNumber": number]
        fields["contentLength"] = length
        return try await scenario.ask("PUT", path, fields)
    }

    /// Sends a part and returns its ETag.
    private static func send(
        _ scenario: Scenario, _ upload: String, _ number: Int, _ length: Int
    ) async throws -> String {
        let fields: [String: any Sendable] = ["uploadId": upload, "partNumber": number, "contentLength": length]
        let response = try await scenario.grant("PUT", path, fields).send(Data(repeating: 0x61, count: length))
        try #require(response.status == 200, "part \(number): \(response.text)")
        return try #require(response.headers["etag"])
    }

    private static func complete(
        _ scenario: Scenario, _ upload: String, _ parts: [(Int, String)], declaring size: Int? = nil
    ) async throws -> HTTP.Response {
        var fields: [String: any Sendable] = ["uploadId": upload]
        fields["contentLength"] = size
        let list = parts.map { "<Part><PartNumber>\($0)</PartNumber><ETag>\($1)</ETag></Part>" }.joined()
        return try await scenario.grant("POST", path, fields)
            .send(Data("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
    }

    @Test(
        "In every order of the parts, the object has at most maxSize bytes", arguments: StorageKind.present,
        [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]])
    func orders(kind: StorageKind, order: [Int]) async throws {
        try await Self.run(on: kind) { scenario, upload in
            var parts: [Int: String] = [:]
            for number in order {
                let length = try #require(Self.largest[number])
                for refused in [length + 1, Self.maxSize, nil] {
                    #expect(try await Self.ask(scenario, upload, number, refused).status == 422)
                }
                // A smaller part first, which the largest one then replaces.
                _ = try await Self.send(scenario, upload, number, 1)
                parts[number] = try await Self.send(scenario, upload, number, length)
                for beyond in [4, 5, 10_000] {
                    #expect(try await Self.ask(scenario, upload, beyond, 1).status == 422)
                    #expect(try await Self.ask(scenario, upload, beyond, 0).status == 422)
                }
            }
            let list = parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            // Parts that are listed twice do not count twice.
            let twice = try await Self.complete(scenario, upload, list + list)
            if twice.status != 200 {
                #expect(twice.status == 400, "\(twice.text)")
                let completed = try await Self.complete(scenario, upload, list, declaring: Self.maxSize)
                #expect(completed.status == 200, "\(completed.text)")
            }
            #expect(try await scenario.get(Self.path).body.count == Self.maxSize)
        }
    }

    @Test("A part's URL accepts neither more bytes, nor no length, nor a copy", arguments: StorageKind.present)
    func signedLength(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario, upload in
            let source = try await Self.send(scenario, upload, 1, Self.partSize)
            let fields: [String: any Sendable] = ["uploadId": upload, "partNumber": 3, "contentLength": 10]
            let grant = try await scenario.grant("PUT", Self.path, fields)
            #expect(grant.headers["content-length"] == "10")
            for length in [0, 9, 11, Self.partSize] {
                #expect(try await grant.send(Data(repeating: 0x61, count: length)).status == 403)
            }
            let chunked = try await Curl.send(
                "PUT", grant.url, headers: ["Transfer-Encoding": "chunked"],
                body: Data(repeating: 0x61, count: Self.partSize))
            #expect(400...599 ~= chunked.status, "\(chunked.text)")
            var copying = grant
            let bucket = try scenario.storage.setting("BUCKET")
            copying.headers["x-amz-copy-source"] = "/\(bucket)/\(scenario.prefix)\(Self.path)"
            #expect(try await copying.send(Data(repeating: 0x61, count: 10)).status == 403)
            var other = grant
            other.url = grant.url.replacing("partNumber=3", with: "partNumber=9")
            #expect(try await other.send(Data(repeating: 0x61, count: 10)).status == 403)
            #expect(try await Self.complete(scenario, upload, [(1, source)]).status == 200)
            #expect(try await scenario.get(Self.path).body.count == Self.partSize)
        }
    }

    @Test("A size declared at completion is signed, and limited by maxSize", arguments: StorageKind.present)
    func declaredSize(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario, upload in
            let tag = try await Self.send(scenario, upload, 1, 100)
            let beyond: [String: any Sendable] = ["uploadId": upload, "contentLength": Self.maxSize + 1]
            #expect(try await scenario.ask("POST", Self.path, beyond).status == 422)
            let fields: [String: any Sendable] = ["uploadId": upload, "contentLength": 100]
            var careless = try await scenario.grant("POST", Self.path, fields)
            #expect(careless.headers == ["x-amz-mp-object-size": "100"])
            careless.headers = [:]
            #expect(try await careless.send(Data("<CompleteMultipartUpload/>".utf8)).status == 403)
            #expect(try await Self.complete(scenario, upload, [(1, tag)], declaring: 100).status == 200)
            #expect(try await scenario.get(Self.path).body.count == 100)
        }
    }
}
