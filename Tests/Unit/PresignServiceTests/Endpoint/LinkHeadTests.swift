import HTTPServerTestSupport
import ObjectExistence
import PresigningTestSupport
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("HEAD of plain links")
struct LinkHeadTests {
    private typealias Key = SampleConfiguration.Key

    private static func yaml(quotas: String = "{}") -> String {
        var configuration = SampleConfiguration()
        (configuration.links, configuration.quotas) = (true, quotas)
        return configuration.yaml.replacing("links: true}", with: "links: true, validateObjectExistence: true}")
            + "\naudit: {to: stdout}\n"
    }

    private static func head(_ target: String, key: String? = Key.web, method: String = "HEAD") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: presign.test\r\n" + (key.map { "X-API-Key: \($0)\r\n" } ?? "") + "\r\n"
    }

    private static let found: ExistenceOutcome = {
        var headers = ObjectHeaders()
        headers.contentType = Array("text/csv".utf8)
        headers.entityTag = Array(#""abc-2""#.utf8)
        headers.lastModified = Array("Sat, 01 Aug 2026 00:00:00 GMT".utf8)
        return .status(200, length: 3_000_000_000, headers: headers)
    }()

    @Test("The response describes the object, and contains no URL")
    func described() throws {
        let service = try TestService(Self.yaml(), storage: [Self.found])
        let response = try service.exchange(Self.head("/o/public/a%20b"), omitsBody: true)
        #expect(response.status == 200 && response.values("content-length") == ["3000000000"])
        #expect(response["content-type"] == "text/csv" && response["etag"] == #""abc-2""#)
        #expect(response["last-modified"] == "Sat, 01 Aug 2026 00:00:00 GMT")
        #expect(response["location"] == nil && response["cache-control"] == "no-store")
        let url = try #require(service.storage.urls.first)
        #expect(try verification(of: url, method: "HEAD", at: TestClock.startTime) == .valid)
        #expect(url.contains("/public/a%20b?"))
        let entry = try #require(try AuditEntry.all(of: service).first)
        #expect(entry.event == "stored" && entry.outcome == "allowed" && entry.status == 200)
        #expect(entry.action == "get" && entry.key == "public/a b" && entry.accessKeyId == nil)
    }

    @Test("The connection continues after the length of a body that is not sent")
    func pipelined() throws {
        let service = try TestService(Self.yaml(), storage: [Self.found, .status(200)])
        let client = service.connect()
        client.send(Self.head("/o/public/a") + Self.head("/o/public/a", method: "GET"))
        #expect(try client.response(omitsBody: true)?.status == 200)
        #expect(try client.response()?.status == 307)
    }

    @Test("Headers that the storage does not send are absent")
    func bare() throws {
        let service = try TestService(Self.yaml(), storage: [.status(200, length: 0)])
        let response = try service.exchange(Self.head("/o/public/a"), omitsBody: true)
        #expect(response.status == 200 && response["content-length"] == "0")
        #expect(response["content-type"] == nil && response["etag"] == nil && response["last-modified"] == nil)
    }

    @Test(
        "Only a 404 of the storage says that the object is missing",
        arguments: [
            (.status(404), 404), (.status(403), 502), (.status(500), 502), (.status(200), 502),
            (.failed("refused"), 502), (.timedOut, 504), (.overloaded, 503),
        ] as [(ExistenceOutcome, Int)])
    func outcomes(outcome: ExistenceOutcome, status: Int) throws {
        let service = try TestService(Self.yaml(), storage: [outcome])
        #expect(try service.exchange(Self.head("/o/public/a"), omitsBody: true).status == status)
    }

    @Test(
        "A caller who may not read the object does not learn whether it exists",
        arguments: [(Key.web, "private/bob/a", 403), (Key.web, "public/.a", 403), (nil, "public/a", 401)]
            as [(String?, String, Int)])
    func withheld(key: String?, path: String, status: Int) throws {
        let service = try TestService(Self.yaml(), storage: [.status(404)])
        #expect(try service.exchange(Self.head("/o/\(path)", key: key), omitsBody: true).status == status)
        #expect(service.storage.urls.isEmpty)
    }

    @Test("It counts twice against the caller's limit, as a GET with a check", arguments: ["HEAD", "GET"])
    func limit(method: String) throws {
        let service = try TestService(Self.yaml(quotas: "{perCaller: {rate: 3/h, burst: 3}}"), storage: [Self.found])
        let statuses = try (0..<3).map { _ in
            try service.exchange(Self.head("/o/public/a", method: method), omitsBody: method == "HEAD").status
        }
        #expect(statuses.dropFirst() == [method == "HEAD" ? 502 : 307, 429])
    }
}
