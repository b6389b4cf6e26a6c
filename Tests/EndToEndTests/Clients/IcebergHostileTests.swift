import Foundation
import Testing

/// Requests of a client that wants more than it may: refused by the service, or by the storage because of the signature.
@Suite("Hostile requests of Apache Iceberg clients", .realParts)
struct IcebergHostileTests {
    private static let kinds = StorageKind.present.filter { $0 != .swift }

    /// A question, and the status with which the service refuses it.
    private typealias Question = (
        name: String, method: String, path: String, headers: [String: String], body: String?,
        members: [String: any Sendable]
    )

    private static func question(
        _ name: String, _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil,
        _ members: [String: any Sendable] = [:]
    ) -> Question { (name, method, path, headers, body, members) }

    private static func questions(_ endpoint: String, _ bucket: String) -> [Question] {
        let host = endpoint.replacing("http://", with: "")
        let port = host.split(separator: ":").last.map(String.init) ?? ""
        return [
            question("another host", "GET", "http://evil.example:\(port)/\(bucket)/secret"),
            question("another port", "GET", "http://127.0.0.1:1/\(bucket)/e2e/wh/a"),
            question("another scheme", "GET", "https://\(host)/\(bucket)/e2e/wh/a"),
            question("user information", "GET", "http://a@\(host)/\(bucket)/e2e/wh/a"),
            question("a host that begins alike", "GET", "http://\(host).evil.example/\(bucket)/e2e/wh/a"),
            question("a fragment", "GET", "http://\(host)/\(bucket)/e2e/wh/a#/secret"),
            question("another bucket", "GET", "http://\(host)/other/e2e/wh/a"),
            question("a bucket that begins alike", "GET", "http://\(host)/\(bucket)x/e2e/wh/a"),
            question("a bucket in dots", "GET", "http://\(host)/other/../\(bucket)/e2e/wh/a"),
            question("no bucket", "GET", "http://\(host)/"),
            question("dots", "GET", "wh/../closed/a"), question("escaped dots", "GET", "wh/%2e%2e/closed/a"),
            question("twice escaped dots", "GET", "wh/%252e%252e/closed/a"),
            question("an escaped slash", "GET", "wh%2Fa"), question("an empty segment", "GET", "wh//a"),
            question("NUL", "GET", "wh/a%00.txt"), question("a folder that is closed", "GET", "closed/a"),
            question("a listing above", "GET", "?list-type=2&prefix="),
            question("a listing of a closed folder", "GET", "?list-type=2&prefix=PREFIXclosed/"),
            question("an open prefix", "GET", "?list-type=2&prefix=PREFIXwh"),
            question("versions", "GET", "?versions&prefix=PREFIXwh/"), question("the policy", "GET", "?policy"),
            question("an access control list", "PUT", "wh/a?acl"), question("tags", "PUT", "wh/a?tagging"),
            question("a parameter of a signature", "GET", "wh/a?X-Amz-Expires=604800"),
            question("a parameter twice", "GET", "wh/a?response-content-type=a/b&response-content-type=text/html"),
            question("a copy", "PUT", "wh/a", ["x-amz-copy-source": "/\(bucket)/closed/a"]),
            question("a public object", "PUT", "wh/a", ["x-amz-acl": "public-read"]),
            question("a header twice", "PUT", "wh/a", [:], ["headers": ["x-amz-meta-a": ["b", "c"]]]),
            question("another host in a header", "GET", "wh/a", ["host": "evil.example"]),
            question("another region", "GET", "wh/a", [:], ["region": "mars-1"]),
            question("another provider", "GET", "wh/a", [:], ["provider": "gcs"]),
            question("the deletion of a closed object", "POST", "?delete", body: document("wh/a", "closed/a")),
            question("a deletion without its keys", "POST", "?delete"),
        ]
    }

    private static func document(_ paths: String...) -> String {
        "<Delete>" + paths.map { "<Object><Key>PREFIX\($0)</Key></Object>" }.joined() + "</Delete>"
    }

    /// Runs the body with a service and with an object in each folder.
    private static func run(on kind: StorageKind, _ body: (Scenario) async throws -> Void) async throws {
        let closed = #"{path: "*/closed/**", allow: {group:none: [read]}}"#
        try await Scenario.run(on: kind, store: IcebergScenario.store, rules: [closed]) { scenario in
            try await scenario.put("open", at: "wh/a")
            try await scenario.put("other", at: "wh/b")
            try await body(scenario)
        }
    }

    @Test("The service refuses what the rules and the store do not allow", arguments: kinds)
    func service(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario in
            let (endpoint, bucket) = (try scenario.storage.setting("ENDPOINT"), try scenario.storage.setting("BUCKET"))
            let questions = Self.questions(endpoint, bucket)
            #expect(questions.count == 34)
            for item in questions {
                let fill = { (text: String) in text.replacing("PREFIX", with: scenario.prefix) }
                let response = try await scenario.sign(
                    item.method, fill(item.path), item.headers, body: item.body.map(fill), members: item.members)
                #expect([400, 403, 422].contains(response.status), "\(item.name): \(response.status) \(response.text)")
                #expect(response.text.contains(#""error""#), "\(item.name): \(response.text)")
            }
        }
    }

    private struct Signed: Decodable {
        var uri: String
        var headers: [String: [String]]
    }

    /// Changes to what was signed for `GET`, `PUT`, a listing or a deletion.
    private static let changes: [(name: String, kind: String, change: @Sendable (inout Sent) -> Void)] = [
        ("another key", "GET", { $0.url = $0.url.replacing("/wh/a?", with: "/wh/b?") }),
        ("an escaped key", "GET", { $0.url = $0.url.replacing("/wh/a?", with: "/wh/%62?") }),
        ("PUT instead of GET", "GET", { ($0.method, $0.body) = ("PUT", "x") }),
        ("DELETE instead of GET", "GET", { $0.method = "DELETE" }),
        ("a longer life", "GET", { $0.url = $0.url.replacing("X-Amz-Expires=60", with: "X-Amz-Expires=600") }),
        ("another parameter", "GET", { $0.url += "&response-content-type=text%2Fhtml" }),
        ("a list of access", "GET", { $0.url += "&acl=" }),
        ("another key of an upload", "PUT", { $0.url = $0.url.replacing("/wh/c?", with: "/wh/b?") }),
        ("another checksum", "PUT", { $0.headers["x-amz-checksum-crc32"] = "AAAAAA==" }),
        ("no checksum", "PUT", { $0.headers["x-amz-checksum-crc32"] = nil }),
        ("another content", "PUT", { $0.body = "abd" }),
        ("an upload as a part", "PUT", { $0.url += "&partNumber=1&uploadId=u" }),
        ("a listing of another folder", "LIST", { $0.url = $0.url.replacing("%2Fwh%2F", with: "%2Fclosed%2F") }),
        ("a listing of everything", "LIST", { $0.url = $0.url.replacing("%2Fwh%2F", with: "%2F") }),
        ("another deletion", "DELETE", { $0.body = $0.body?.replacing("wh/a", with: "wh/b") }),
        ("another hash of a deletion", "DELETE", { $0.headers["x-amz-content-sha256"] = "UNSIGNED-PAYLOAD" }),
        ("another time of a deletion", "DELETE", { $0.headers["x-amz-date"] = "20300101T000000Z" }),
        ("a deletion without a signature", "DELETE", { $0.headers["authorization"] = nil }),
    ]

    struct Sent: Sendable {
        var method: String
        var url: String
        var headers: [String: String]
        var body: String?

        func send() async throws -> HTTP.Response {
            try await HTTP.send(method, url, headers: headers, body: body.map { Data($0.utf8) })
        }
    }

    /// What a storage accepts although it differs from what was signed. SeaweedFS 4.48 compares the body of DeleteObjects
    /// with nothing, neither with `x-amz-content-sha256` nor with a checksum.
    private static let accepted: [StorageKind: Set<String>] = [.seaweedfs: ["another deletion"]]

    @Test("The storage refuses what differs from what was signed", arguments: kinds)
    func storage(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario in
            for item in Self.changes {
                let original = try await Self.signed(item.kind, scenario)
                var changed = original
                item.change(&changed)
                let response = try await changed.send()
                let isAccepted = Self.accepted[kind]?.contains(item.name) ?? false
                #expect((response.status < 400) == isAccepted, "\(item.name): \(response.status) \(response.text)")
            }
            #expect(try await scenario.get("wh/a").text == "open")
            #expect(try await scenario.get("wh/b").text == "other" || kind == .seaweedfs)
            #expect(try await scenario.get("wh/c").status == 404)
            // Unchanged, the storage accepts all of them.
            for kind in ["GET", "PUT", "LIST", "DELETE"] {
                let response = try await Self.signed(kind, scenario).send()
                #expect(response.status == 200, "\(kind): \(response.text)")
            }
            #expect(try await scenario.get("wh/a").status == 404)
            #expect(try await scenario.get("wh/c").text == "abc")
        }
    }

    /// Asks for a signature, and returns the request to the storage.
    private static func signed(_ kind: String, _ scenario: Scenario) async throws -> Sent {
        let checked = ["x-amz-checksum-crc32": "NSRBwg==", "x-amz-sdk-checksum-algorithm": "CRC32"]
        let body = document("wh/a").replacing("PREFIX", with: scenario.prefix)
        let (method, response): (String, HTTP.Response) =
            switch kind {
            case "PUT": ("PUT", try await scenario.sign("PUT", "wh/c", checked))
            case "LIST": ("GET", try await scenario.sign("GET", "?list-type=2&prefix=\(scenario.prefix)wh/"))
            case "DELETE": ("POST", try await scenario.sign("POST", "?delete", body: body))
            default: ("GET", try await scenario.sign("GET", "wh/a"))
            }
        try #require(response.status == 200, "\(kind): \(response.text)")
        let signed = try JSONDecoder().decode(Signed.self, from: response.body)
        return Sent(
            method: method, url: signed.uri,
            headers: (kind == "PUT" ? checked : [:]).merging(signed.headers.compactMapValues(\.first)) { $1 },
            body: kind == "PUT" ? "abc" : kind == "DELETE" ? body : nil)
    }
}
