import HTTPServerTestSupport
import ObjectExistence
import Presigning
import PresigningTestSupport
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("POST /lfs/{repository}/objects/batch")
struct LFSBatchTests {
    private typealias Key = SampleConfiguration.Key

    /// The SHA-256 of an empty text, and its Base64.
    private static let oid = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let object = #"{"oid":"\#(oid)","size":12}"#

    private static func service(
        _ sample: SampleConfiguration = SampleConfiguration(), storage: [Int] = [], store: String = ""
    ) throws -> TestService {
        try TestService(
            sample.yaml + "\nlfs: {prefix: public/lfs\(store)}\naudit: {to: stdout}\n",
            storage: storage.map { .status($0) })
    }

    private static func batch(_ operation: String, _ objects: [String], _ more: String = "") -> String {
        lfsRequest(
            #"{"operation":"\#(operation)","objects":[\#(objects.joined(separator: ","))]\#(more)}"#,
            credentials: basic(Key.web))
    }

    @Test("An upload is signed for the exact content, without the length among its headers")
    func upload() throws {
        let more = #","transfers":["tus","basic"],"ref":{"name":"refs/heads/main"},"hash_algo":"sha256""#
        let exchange = try Self.service().send(Self.batch("upload", [Self.object], more))
        #expect(exchange.status == 200 && exchange["content-type"] == "application/vnd.git-lfs+json")
        let response = try exchange.response.lfs()
        #expect(response.transfer == "basic" && response.objects.map(\.authenticated) == [true])
        let action = try #require(response.objects.first?.actions?["upload"])
        #expect(action.header == ["content-type": "application/octet-stream", "x-amz-checksum-sha256": Self.digest])
        #expect(action.href.contains("/public/lfs/acme/app/e3/b0/\(Self.oid)?") && action.expires_in == 18_000)
        let headers = action.header.merging(["content-length": "12"]) { given, _ in given }
        #expect(
            try verification(of: action.href, method: "PUT", headers: headers, at: TestClock.startTime) == .valid)
        #expect(exchange.audit.map(\.key) == ["public/lfs/acme/app/e3/b0/\(Self.oid)"])
        #expect(exchange.audit.map(\.apiKey) == ["web"])
    }

    @Test("A download is signed without headers, by the store of the configuration")
    func download() throws {
        let response = try Self.service(store: ", store: archive").send(Self.batch("download", [Self.object])).response
        let action = try #require(try response.lfs().objects.first?.actions?["download"])
        #expect(action.header.isEmpty && action.href.contains("acme.archive/v1/public/lfs/acme/app/e3/b0/"))
        #expect(try verification(of: action.href, method: "GET", at: TestClock.startTime) == .valid)
    }

    @Test("Each object has its own error, and the others are signed")
    func objectErrors() throws {
        let objects = [
            Self.object, #"{"oid":"E3\#(Self.oid.dropFirst(2))","size":1}"#, #"{"oid":"../../x","size":1}"#,
            #"{"size":1}"#, #"{"oid":"\#(Self.oid)","size":-1}"#, #"{"oid":"\#(Self.oid)","size":5368709120}"#,
            #"{"oid":"\#(Self.oid)","size":5368709121}"#, "7",
        ]
        let response = try Self.service().send(Self.batch("upload", objects)).response.lfs()
        #expect(response.codes == [200, 422, 422, 422, 422, 200, 422, 422])
        #expect(response.objects[6].error?.message.contains("5 GiB") == true)
        #expect(response.objects.map(\.oid.count) == [64, 64, 7, 0, 64, 64, 64, 0])
    }

    @Test("The rules decide by the object's path")
    func forbidden() throws {
        let service = try TestService(SampleConfiguration().yaml + "\nlfs: {}\naudit: {to: stdout}\n")
        let response = try service.send(Self.batch("upload", [Self.object])).response
        #expect(try response.status == 200 && response.lfs().codes == [403])
        #expect(service.auditLines().last?.contains("lfs/acme/app/e3/b0/") == true)
    }

    @Test("A missing object is an error of its own, if the store checks existence")
    func missing() throws {
        var sample = SampleConfiguration()
        sample.links = true
        let yaml = sample.yaml.replacing("default: true", with: "default: true, validateObjectExistence: true")
        let service = try TestService(
            yaml + "\nlfs: {prefix: public/lfs}\n", storage: [.status(404), .status(200), .timedOut])
        let response = try service.send(Self.batch("download", [Self.object, Self.object, Self.object])).response.lfs()
        #expect(response.codes == [404, 200, 504])
        #expect(response.objects[0].error?.message == "No object exists at this path")
    }

    @Test(
        "A malformed batch is refused as a whole, and the client can show why",
        arguments: [
            ("{", 400, "malformed"), ("{}", 400, "operation"), (#"{"operation":"verify"}"#, 400, "operation"),
            (#"{"operation":"upload"}"#, 400, "objects"), (#"{"operation":"upload","objects":[]}"#, 400, "objects"),
            (#"{"operation":"upload","objects":[\#(object)],"transfers":["tus"]}"#, 400, "basic"),
            (#"{"operation":"upload","objects":[\#(object)],"hash_algo":"sha1"}"#, 409, "SHA-256"), ("", 400, "empty"),
        ])
    func malformed(body: String, status: Int, message: String) throws {
        let response = try Self.service().exchange(lfsRequest(body, credentials: basic(Key.web)))
        #expect(response.status == status && response["content-type"] == "application/vnd.git-lfs+json")
        #expect(try response.problem().detail.contains(message))
        #expect(response.text.contains(#""message":""#))
    }

    @Test("More than 1,000 objects are refused")
    func tooMany() throws {
        let response = try Self.service().exchange(
            Self.batch("download", Array(repeating: "{}", count: 1001)))
        #expect(response.status == 400)
    }

    @Test("The body is JSON of the API", arguments: [("application/json", 200), ("text/plain", 415)])
    func mediaType(type: String, status: Int) throws {
        let body = #"{"operation":"download","objects":[\#(Self.object)]}"#
        #expect(try Self.service().exchange(lfsRequest(body, type: type, credentials: basic(Key.web))).status == status)
    }

    @Test("Each object counts against the rate limit")
    func rateLimit() throws {
        var sample = SampleConfiguration()
        sample.quotas = "{perCaller: {rate: 2/m, burst: 2}}"
        let service = try Self.service(sample)
        let response = try service.exchange(Self.batch("download", Array(repeating: Self.object, count: 3)))
        #expect(try response.lfs().codes == [200, 200, 429])
        #expect(try service.exchange(Self.batch("download", [Self.object])).status == 429)
    }
}
