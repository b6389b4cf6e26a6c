import PresigningTestSupport
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Callers and locks of the Git LFS API")
struct LFSCallerTests {
    private typealias Key = SampleConfiguration.Key

    private static let body =
        #"{"operation":"upload","objects":[{"oid":"\#(String(repeating: "a", count: 64))","size":1}]}"#

    private static func service(guest: Bool = false, configured: Bool = true) throws -> TestService {
        var sample = SampleConfiguration()
        sample.guest = guest
        return try TestService(sample.yaml + (configured ? "\nlfs: {prefix: public/lfs}\naudit: {to: stdout}\n" : ""))
    }

    @Test(
        "The password of Basic is a key, with any user name; other ways to authenticate work too",
        arguments: [
            (basic(Key.web), 200), (basic(Key.web, user: ""), 200), ("X-API-Key: \(Key.web)", 200),
            ("Authorization: Bearer \(Key.web)", 200), (basic(Key.wrongSecret), 401), (basic(Key.off), 401),
            (basic("x", user: Key.web), 401), (basic(""), 401), ("Authorization: Basic !", 401),
            ("\(basic(Key.web))\r\nX-API-Key: \(Key.web)", 400),
        ])
    func credentials(line: String, status: Int) throws {
        let response = try Self.service().exchange(lfsRequest(Self.body, credentials: line))
        #expect(response.status == status, "\(response.text)")
        #expect(response["lfs-authenticate"] == (status == 401 ? #"Basic realm="presign""# : nil))
    }

    @Test("Other routes do not accept Basic", arguments: ["/presign", "/presign/batch"])
    func otherRoutes(path: String) throws {
        let exchange = try Self.service().post(path, #"{"path":"public/a"}"#, as: nil, [basic(Key.web)])
        #expect(exchange.status == 401 && exchange["lfs-authenticate"] == nil)
    }

    @Test("A guest that needs credentials gets 401 for the whole batch, so that git asks for them")
    func guest() throws {
        let service = try Self.service(guest: true)
        let upload = try service.send(lfsRequest(Self.body, credentials: nil))
        #expect(upload.status == 401 && upload["lfs-authenticate"] != nil && upload.audit.count == 1)
        let download = Self.body.replacing("upload", with: "download")
        #expect(try service.send(lfsRequest(download, credentials: nil)).response.lfs().codes == [200])
    }

    @Test(
        "Locks are not implemented, and other paths do not exist",
        arguments: [
            ("/lfs/acme/app/locks/verify", 501), ("/lfs/acme/app/locks", 501), ("/lfs/app/locks/7/unlock", 501),
            ("/lfs/acme/app", 404), ("/lfs/acme/app/objects", 404), ("/lfs/locks", 404), ("/lfs/objects/batch", 404),
        ])
    func locks(path: String, status: Int) throws {
        let response = try Self.service().exchange(lfsRequest("{}", at: path, credentials: nil))
        #expect(response.status == status, "\(response.text)")
        #expect(
            try Self.service(configured: false).exchange(lfsRequest("{}", at: path, credentials: nil)).status == 404)
    }

    @Test("Another method is refused", arguments: ["GET", "PUT"])
    func method(method: String) throws {
        let response = try Self.service().exchange(lfsRequest("{}", method: method, credentials: basic(Key.web)))
        #expect(response.status == 405 && response["allow"] == "POST, OPTIONS")
    }

    @Test(
        "A repository's path is decoded once and checked like every path",
        arguments: [("a%2E%2E", 200), ("a%2Fb", 200), ("%2e%2e/x", 422), ("x//y", 422), ("/x", 422), ("a%00", 422)])
    func repository(path: String, code: Int) throws {
        let request = lfsRequest(Self.body, at: "/lfs/\(path)/objects/batch", credentials: basic(Key.web))
        #expect(try Self.service().exchange(request).lfs().codes == [code])
    }
}
