import Foundation
import Testing

@Suite(
    "A storage that honours unsigned headers",
    .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY; Tests/run.sh sets it"))
struct UnsignedHeaderTests {
    private static let writing = [
        "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts",
    ]
    private static let keys: [String: (secret: String, actions: [String])] = [
        "both": ("both-secret", ["s3:GetObject"] + writing), "reader": ("reader-secret", ["s3:GetObject"]),
        "writer": ("writer-secret", writing),
    ]

    /// Runs the body with the storage and a service whose rules allow no caller to read `secret/`.
    private static func serving(
        _ credentials: any Sendable, _ body: (PresignProcess) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let profiles = keys.map {
                "[\($0.key)]\naws_access_key_id = AKID\($0.key)\naws_secret_access_key = \($0.value.secret)\n"
            }
            let file = directory.appending(path: "credentials")
            try Data(profiles.joined().utf8).write(to: file)
            let identified = Dictionary(uniqueKeysWithValues: keys.map { ("AKID" + $0.key, $0.value) })
            try await HonouringStorage.run(keys: identified) { endpoint in
                try await PresignProcess.serving(
                    store: [
                        "bucket": "bucket", "region": "us-east-1", "endpoint": endpoint, "credentials": credentials,
                    ],
                    environment: ["AWS_SHARED_CREDENTIALS_FILE": file.path(), "AWS_CONFIG_FILE": "/nonexistent"],
                    sections: "deny: [{path: secret/**, actions: [get]}]\n", body)
            }
        }
    }

    private static func ask(
        _ service: PresignProcess, _ method: String, _ path: String, _ fields: [String: any Sendable] = [:]
    ) async throws -> HTTP.Response {
        let members = fields.merging(["method": method, "path": path]) { given, _ in given }
        return try await HTTP.send(
            "POST", "http://\(service.address)/presign",
            headers: ["X-API-Key": service.apiKey, "Content-Type": "application/json"],
            body: try JSONSerialization.data(withJSONObject: members))
    }

    /// Uses a granted URL with additional headers.
    private static func use(
        _ service: PresignProcess, _ method: String, _ path: String, _ fields: [String: any Sendable] = [:],
        adding headers: [String: String] = [:], _ body: String? = nil
    ) async throws -> HTTP.Response {
        let response = try await ask(service, method, path, fields)
        try #require(response.status == 200, "\(method) \(path): \(response.text)")
        var grant = try JSONDecoder().decode(Grant.self, from: response.body)
        grant.headers.merge(headers) { $1 }
        return try await grant.send(body.map { Data($0.utf8) })
    }

    private static let copy = ["x-amz-copy-source": "/bucket/secret/plan"]

    @Test("With one set of credentials, an unsigned header copies an object that the rules protect")
    func oneSource() async throws {
        try await Self.serving("profile:both") { (service: PresignProcess) async throws -> Void in
            #expect(try await Self.use(service, "PUT", "secret/plan", [:], "the plan").status == 200)
            #expect(try await Self.ask(service, "GET", "secret/plan").status == 403)
            #expect(try await Self.use(service, "PUT", "mine/copy", adding: Self.copy, "").status == 200)
            #expect(try await Self.use(service, "GET", "mine/copy").text == "the plan")
        }
    }

    @Test("Without GetObject for the write credentials it copies nothing, and everything else works")
    func twoSources() async throws {
        try await Self.serving(["read": "profile:reader", "write": "profile:writer"]) {
            (service: PresignProcess) async throws -> Void in
            #expect(try await Self.use(service, "PUT", "secret/plan", [:], "the plan").status == 200)
            #expect(try await Self.use(service, "PUT", "mine/copy", adding: Self.copy, "").status == 403)
            #expect(try await Self.use(service, "GET", "mine/copy").status == 404)
            let upload = try await Self.use(service, "POST", "mine/parts").element("UploadId")
            let part: [String: any Sendable] = ["uploadId": upload, "partNumber": 1]
            #expect(try await Self.use(service, "PUT", "mine/parts", part, adding: Self.copy, "").status == 403)
            #expect(try await Self.use(service, "PUT", "mine/parts", part, "own").status == 200)
            #expect(try await Self.use(service, "GET", "mine/parts", ["uploadId": upload]).element("Parts") == "1")
            #expect(try await Self.use(service, "POST", "mine/parts", ["uploadId": upload], "").status == 200)
            let checked: [String: any Sendable] = ["validateObjectExistence": true]
            #expect(try await Self.use(service, "GET", "mine/parts", checked).text == "own")
            #expect(try await Self.use(service, "HEAD", "mine/parts").status == 200)
            #expect(try await Self.use(service, "DELETE", "mine/parts").status == 204)
            #expect(try await Self.ask(service, "GET", "mine/parts", checked).status == 404)
            for (method, id) in [("GET", "AKIDreader"), ("PUT", "AKIDwriter")] {
                let arguments = ["url", method, "a", "--config", service.configuration.path()]
                #expect(try await service.run(arguments).output.contains("X-Amz-Credential=\(id)%2F"))
            }
        }
    }
}
