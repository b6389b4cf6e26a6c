import Testing

@testable import HTTPClient

@Suite("URLs of HTTP fetches")
struct FetchURLTests {
    @Test(
        "A valid URL is split into its parts",
        arguments: [
            ("http://169.254.170.2/v2/credentials/x", "http 169.254.170.2 80 /v2/credentials/x 169.254.170.2"),
            ("http://127.0.0.1:1234", "http 127.0.0.1 1234 / 127.0.0.1:1234"),
            ("HTTP://LocalHost:80/a?b=c", "http name localhost 80 /a?b=c LocalHost:80"),
            (
                "https://sts.eu-west-1.amazonaws.com",
                "https name sts.eu-west-1.amazonaws.com 443 / sts.eu-west-1.amazonaws.com"
            ),
            ("http://[fd00:ec2::23]/v1", "http fd00:ec2::23 80 /v1 [fd00:ec2::23]"),
            ("http://[::1]:8080?x", "http ::1 8080 /?x [::1]:8080"),
            ("http://[::ffff:127.0.0.1]/", "http 127.0.0.1 80 / [::ffff:127.0.0.1]"),
            ("http://my_container/", "http name my_container 80 / my_container"),
        ])
    func accepted(text: String, expected: String) throws {
        let url = try #require(FetchURL(text))
        let host =
            switch url.host {
            case .address(let address): "\(address)"
            case .name(let name): "name \(name)"
            }
        #expect("\(url.isSecure ? "https" : "http") \(host) \(url.port) \(url.target) \(url.authority)" == expected)
    }

    @Test(
        "A URL that two parsers could read differently is rejected",
        arguments: [
            "", "http://", "http:///path", "ftp://127.0.0.1/", "127.0.0.1", "http://a b/", "http://a/\r\nX: y",
            "http://user@127.0.0.1/", "http://169.254.170.2@evil.example/", "http://127.0.0.1#x", "http://[::1/",
            "http://::1/", "http://[127.0.0.1]/", "http://127.0.0.1:0/", "http://127.0.0.1:65536/",
            "http://127.0.0.1:/",
            "http://127.0.0.1:+80/", "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/",
            "http://169.254.170.2.evil\\@x/", "http://é.example/", "http://%31/", "http://[fe80::1%25eth0]/",
        ])
    func refused(text: String) {
        #expect(FetchURL(text) == nil)
    }
}
