import HTTPServerTestSupport
import SocketTestSupport
import System
import Testing

@testable import PresignServiceTestSupport

@Suite("Why credentials are not valid, for developers")
struct DevelopmentTests {
    private typealias Key = SampleConfiguration.Key
    private static let plain = "The credentials are not valid"

    private static func problem(
        _ key: String, _ headers: [String] = [], from peer: PeerAddress = .ipv4(0x7F00_0001), isLocal: Bool = true
    ) throws -> (detail: String, fix: String?) {
        let service = try TestService(SampleConfiguration().yaml + (isLocal ? "\nlocal: {directory: data}" : ""))
        let client = service.connect(from: peer)
        client.send(
            presignRequest(#"{"path":"public/a"}"#, key: key, headers).replacing("presign.test", with: "localhost"))
        let response = try #require(try client.response(omitsBody: false))
        #expect(response.status == 401, "\(response.text)")
        let problem = try response.problem()
        return (problem.detail, problem.recoverySuggestion)
    }

    @Test("With the embedded storage, a client on this machine reads the reason; no other one does")
    func reason() throws {
        #expect(try Self.problem(Key.wrongSecret).detail == Self.plain + ": unknown API key")
        #expect(try Self.problem(Key.off).detail == Self.plain + ": disabled API key")
        #expect(try Self.problem(Key.wrongSecret, from: .ipv6(0, 1)).detail == Self.plain + ": unknown API key")
        let others: [PeerAddress] = [.ipv4(0x0A00_0001), .ipv6(0x2001_0db8 << 32, 1), .unix]
        for peer in others { #expect(try Self.problem(Key.wrongSecret, from: peer).detail == Self.plain) }
        #expect(try Self.problem(Key.wrongSecret, isLocal: false).detail == Self.plain)
    }

    @Test(
        "A proxy or tunnel on this machine, behind which the client is elsewhere, gets no reason",
        arguments: [
            "Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.1", "x-forwarded-proto: https",
            "X-Real-IP: 192.0.2.1",
            "Via: 1.1 proxy", "CF-Connecting-IP: 192.0.2.1", "X-Forwarded-Host: a.example", "X-FORWARDED-FOR:",
        ])
    func forwarded(header: String) throws {
        let (detail, fix) = try Self.problem(Key.wrongSecret, [header])
        #expect(detail == Self.plain && fix?.contains("it may have been rotated") == true)
    }

    @Test("The fix names the file of a generated key, and only that")
    func keyFile() throws {
        let configured = try Self.problem(Key.wrongSecret).fix
        #expect(configured?.contains("it may have been rotated") == true)
        for (sections, names) in [("", true), ("auth: {apiKeys: [{id: other, hashes: [\"\(Self.hash)\"]}]}", false)] {
            let yaml = """
                version: 1
                stores: {local: {bucket: local, region: us-east-1}}
                local: {directory: my/files}
                \(sections.isEmpty ? "auth: {apiKeys: [{id: local, hashes: [\"\(Self.hash)\"]}]}" : sections)
                rules: [{path: "**", allow: {authenticated: [read]}}]
                """
            let response = try TestService(yaml).exchange(
                presignRequest(#"{"path":"a"}"#, key: "psk_local_x").replacing("presign.test", with: "localhost"))
            let fix = try response.problem().recoverySuggestion
            #expect((fix == "The key of this folder is in my/files/api-key.") == names, "\(response.text)")
        }
    }

    private static let hash = "sha256:" + String(repeating: "ab", count: 32)

    @Test("An API key in the query is pointed out, and no log contains it")
    func keyInQuery() throws {
        let service = try TestService(SampleConfiguration(links: true).yaml)
        for target in ["/presign?key=\(Key.web)", "/o/private/web/a?x=1&api_key=\(Key.web)", "/permissions?psk_web_"] {
            let method = target.hasPrefix("/presign") ? "POST" : "GET"
            let response = try service.exchange(
                "\(method) \(target) HTTP/1.1\r\nHost: presign.test\r\nContent-Length: 0\r\n\r\n")
            let problem = try response.problem()
            #expect(response.status == 401 && problem.code == "credentials-missing", "\(target): \(response.text)")
            #expect(problem.detail.contains("The API key is in the URL"))
            #expect(problem.recoverySuggestion?.contains("replace this key") == true)
            #expect(!response.text.contains(Key.web))
        }
        #expect(!service.logLines().contains { $0.contains(Key.web) })
    }
}
