import Foundation
import Testing

@Suite("Credentials and addresses on real storage", .enabled(if: StorageServer.isAvailable, "start it by Tests/run.sh"))
struct CredentialTests {
    private static let temporary = StorageServer.all.filter { $0.temporaryCredentials != nil }
    private static let virtual = StorageServer.all.filter { $0.virtualHostDomain != nil }

    @Test("temporary credentials: the session token is in the signed query", arguments: temporary)
    func sessionToken(server: StorageServer) throws {
        let presign = try PresignProcess(server, credentials: server.temporaryCredentials)
        let url = try presign.url(["path": "session/a", "method": "PUT"])
        #expect(url.contains("&X-Amz-Security-Token="))
        #expect(try Curl.upload(Data([1, 2]), to: url).status == 200)
        let download = try presign.url(["path": "session/a", "validateObjectExistence": true])
        #expect(try Curl.download(download).body == Data([1, 2]))
        let start = try #require(download.range(of: "&X-Amz-Security-Token="))
        let rest = download[start.upperBound...].drop(while: { $0 != "&" })
        #expect(try Curl.download(String(download[..<start.lowerBound] + rest)).status == 403)
    }

    @Test("the URL's life ends with the credentials', and the answer says so", arguments: temporary)
    func clamp(server: StorageServer) throws {
        var credentials = server.temporaryCredentials ?? [:]
        credentials["AWS_CREDENTIAL_EXPIRATION"] = Date.now.addingTimeInterval(600).ISO8601Format()
        let presign = try PresignProcess(server, credentials: credentials)
        let answer = try presign.ask(["path": "session/a"])
        #expect(answer.body["limitedBy"] as? String == "credentials")
        #expect(590...600 ~= answer.body["expiresIn"] as? Int ?? 0)
    }

    @Test("virtual-hosted addressing", arguments: virtual)
    func virtualHost(server: StorageServer) throws {
        let domain = try #require(server.virtualHostDomain)
        let presign = try PresignProcess(
            server, store: #"endpoint: "http://\#(domain):\#(server.port)", addressing: virtual"#)
        let resolve = ["--resolve", "\(server.bucket).\(domain):\(server.port):127.0.0.1"]
        let upload = try presign.url(["path": "virtual/a b", "method": "PUT"])
        #expect(upload.hasPrefix("http://\(server.bucket).\(domain):\(server.port)/virtual/a%20b?"))
        let file = try TemporaryFolder()
        #expect(try Curl(resolve + ["-T", try file.file("f", Data([7])), upload]).status == 200)
        #expect(try Curl(resolve + [try presign.url(["path": "virtual/a b"])]).body == Data([7]))
    }
}
