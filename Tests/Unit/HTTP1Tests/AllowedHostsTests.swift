import Testing

@testable import HTTP1

@Suite("Allowed hosts")
struct AllowedHostsTests {
    private static let hosts = AllowedHosts(of: [
        "https://app.example.com", "http://Files.Example.org.:9000/base", "http://10.0.0.7:9000", "*", "",
    ])

    private static func refusal(_ host: String?) -> MisdirectedRequest? {
        hosts.refusal(of: HTTPRequest(path: [0x2F], headers: HTTPHeaders(host.map { [("host", $0)] } ?? [])))
    }

    @Test(
        "localhost, IP addresses and configured names are allowed, in any case, with any port, with a final dot",
        arguments: [
            nil, "localhost", "LocalHost:1", "localhost.", "localhost.:80", "localhost:", "a.localhost",
            "A.b.LOCALHOST.:8",
            "127.0.0.1", "127.0.0.1:8080", "192.168.1.7", "0.0.0.0", "[::1]", "[::1]:8080", "[fe80::1]",
            "app.example.com", "APP.example.com:8443", "app.example.com.", "files.example.org", "Files.example.org.:1",
        ])
    func allowed(host: String?) {
        #expect(Self.refusal(host) == nil)
    }

    @Test(
        "Other hosts are refused",
        arguments: [
            "evil.example", "example.com", "evil.app.example.com", "app.example.com.evil.example", "app.example.comm",
            "localhost.evil.example", "evillocalhost", "localhost..", "127.0.0.1.evil.example", "127.0.0.1.", "127.1",
            "2130706433", "0x7f.1", "017700000001", "%6cocalhost", "localhost%00", "1.localhost.example", "*", "a_b",
            "", "[::1", "user@localhost",
        ])
    func refused(host: String) {
        #expect(Self.refusal(host) != nil)
    }

    @Test(
        "The refusal has the origin that would allow the name, if there is one",
        arguments: [
            ("Dev.Example:8080", "http://dev.example:8080"), ("dev.example.", "http://dev.example"),
            ("dev.example:80", "http://dev.example"), ("dev.example:443", "http://dev.example:443"),
            ("127.1", nil), ("dev%2eexample", nil), ("a!b", nil),
        ])
    func suggestion(host: String, origin: String?) {
        let refusal = Self.refusal(host)
        #expect(refusal != nil && refusal?.origin == origin)
    }
}
