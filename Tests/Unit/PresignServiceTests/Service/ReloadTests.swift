import HTTPServerTestSupport
import PresigningTestSupport
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Reload during a request")
struct ReloadTests {
    private static let body = #"{"path":"public/a"}"# + String(repeating: " ", count: 300)

    /// A change of the configuration, and the status of requests that start after it.
    struct Change: CustomTestStringConvertible, Sendable {
        let old: String
        let new: String
        let status: Int
        var testDescription: String { new }
    }

    static let changes = [
        Change(old: "authenticated: [get, write, delete, multipart]", new: "authenticated: [write]", status: 403),
        Change(old: "bucket: acme-media,", new: "bucket: acme-other,", status: 200),
        Change(old: "{id: web, identity: alice,", new: "{id: web, disabled: true, identity: alice,", status: 401),
        Change(old: "body: 4k", new: "body: 256", status: 413),
    ]

    @Test(
        "A reload between head and body affects the next request, not the current one",
        arguments: changes, [true, false])
    func betweenHeadAndBody(change: Change, asksFirst: Bool) throws {
        let yaml = SampleConfiguration().yaml.replacing("everyone: [get]", with: "guest: [get]")
        let service = try TestService(yaml)
        let client = service.connect()
        let request = presignRequest(Self.body, asksFirst ? ["Expect: 100-continue"] : [])
        let head = request.dropLast(Self.body.count)
        client.send(String(head))
        if asksFirst {
            #expect(try #require(try client.response()).status == 100)
        } else {
            // There is one loop, so it has read the earlier input.
            #expect(try service.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        }
        let changed = yaml.replacing(change.old, with: change.new)
        #expect(changed != yaml)
        try service.reload(changed)
        client.send(Self.body)
        let response = try verified(try #require(try client.response()))
        #expect(response.bucket == "acme-media")
        client.send(presignRequest(Self.body))
        let next = try #require(try client.response())
        #expect(next.status == change.status)
        if next.status == 200 { #expect(try verified(next).bucket == "acme-other") }
    }
}
