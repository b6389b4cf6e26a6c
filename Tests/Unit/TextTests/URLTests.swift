import Glibc
import Testing

@testable import Text

@Suite("Authorities and URLs")
struct URLTests {
    private static func authority(_ text: String, _ host: Bool, _ port: Bool) throws(Authority.Mistake) -> String {
        let bytes = Array(text.utf8)
        let authority = try Authority(bytes.span, allowsEmptyHost: host, allowsEmptyPort: port)
        let kind =
            switch authority.host {
            case .address(.v4): "v4"
            case .address(.v6): "v6"
            case .name: "name"
            }
        let name = String(decoding: bytes[authority.hostRange], as: UTF8.self)
        return "\(kind) \(name) \(authority.port.map(String.init) ?? "-")"
    }

    @Test(
        "An authority is a host with an optional port",
        arguments: [
            ("a.example", "name a.example -"), ("A_b.example:0", "name A_b.example 0"), ("a:65535", "name a 65535"),
            ("192.0.2.1:80", "v4 192.0.2.1 80"), ("[::1]", "v6 [::1] -"), ("[2001:DB8::1]:443", "v6 [2001:DB8::1] 443"),
            ("192.0.2.256", "name 192.0.2.256 -"), ("a%20b", "name a%20b -"), ("a:00080", "name a 80"),
        ])
    func accepted(text: String, expected: String) throws {
        #expect(try Self.authority(text, false, false) == expected)
        #expect(try Self.authority(text, true, true) == expected)
    }

    @Test(
        "The malformed part of an authority is named",
        arguments: [
            ("", .host), (":80", .host), ("a b", .host), ("[::1", .host), ("[127.0.0.1]", .host), ("[]", .host),
            ("[fe80::1%25lo]", .zone), ("[fe80::1%lo]", .zone), ("a%zz", .host), ("[::1]80", .host), ("a/b", .host),
            ("a:65536", .port),
            ("a:", .port), ("a:+80", .port), ("a:8o", .port), ("::1:80", .host), ("u@a", .userInformation),
            ("u:p@a", .userInformation), ("a:80@b", .userInformation), ("\u{e9}", .host), ("a\0", .host),
        ] as [(String, Authority.Mistake)])
    func refused(text: String, mistake: Authority.Mistake) {
        #expect(throws: mistake) { try Self.authority(text, false, false) }
    }

    @Test("An empty host or port is accepted only where it is allowed")
    func empty() throws {
        #expect(try Self.authority(":80", true, false) == "name  80")
        #expect(try Self.authority("a:", false, true) == "name a -")
        #expect(throws: Authority.Mistake.port) { try Self.authority("a:", true, false) }
        #expect(throws: Authority.Mistake.host) { try Self.authority(":80", false, true) }
    }

    @Test(
        "A URL is split into its parts",
        arguments: [
            ("http://a.example", "http a.example 80  nil"), ("HTTPS://a.example/", "https a.example 443 / nil"),
            ("http://[::1]:8080?x", "http [::1] 8080  x"), ("http://a/b//%2F;c?d?e=/", "http a 80 /b//%2F;c d?e=/"),
            ("https://a:80/?", "https a 80 / "),
        ])
    func url(text: String, expected: String) throws {
        let bytes = Array(text.utf8)
        let url = try AbsoluteURL(bytes.span)
        let part = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
        let (path, query) = (part(url.target.path), url.target.query.map(part) ?? "nil")
        #expect("\(url.isSecure ? "https" : "http") \(part(url.hostRange)) \(url.port) \(path) \(query)" == expected)
    }

    /// These are the hosts of Node's `new URL`. curl sends them unchanged, because it replaces an address only by a
    /// shorter form.
    @Test(
        "The host is the one that clients send, whatever the spelling",
        arguments: [
            ("[0:0:0:0:0:0:0:1]", "[::1]"), ("[0000::0001]", "[::1]"), ("[::0.0.0.1]", "[::1]"), ("[::]", "[::]"),
            ("[2001:0DB8::0001]", "[2001:db8::1]"), ("[::127.0.0.1]", "[::7f00:1]"),
            ("[::ffff:127.0.0.1]", "[::ffff:7f00:1]"), ("[::FFFF:7F00:1]", "[::ffff:7f00:1]"),
            ("[2001:db8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"), ("[2001:0:0:1:0:0:0:1]", "[2001:0:0:1::1]"),
            ("[2001:db8:0:1:1:1:1:1]", "[2001:db8:0:1:1:1:1:1]"), ("[1:2:3:4:5:6::]", "[1:2:3:4:5:6::]"),
            ("[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]"), ("[64:ff9b::192.0.2.33]", "[64:ff9b::c000:221]"),
            ("192.0.2.1", "192.0.2.1"), ("My_Files.Example", "my_files.example"),
        ])
    func sentHost(host: String, sent: String) throws {
        let bytes = Array("http://\(host):9000/a".utf8)
        #expect(try AbsoluteURL(bytes.span).sentHost(of: bytes) == Array(sent.utf8))
    }

    @Test(
        "The malformed part of a URL is named",
        arguments: [
            ("", .scheme), ("ftp://a", .scheme), ("//a", .scheme), ("https:/a", .scheme), (" http://a", .scheme),
            ("http://", .authority(.host)), ("http:///a", .authority(.host)), ("http://a:", .authority(.port)),
            ("http://u@a/", .authority(.userInformation)), ("http://a#b", .authority(.host)),
            ("http://a/#b", .target), ("http://a/%2", .target), ("http://a/?[", .target), ("http://a/\u{7f}", .target),
        ] as [(String, AbsoluteURL.Mistake)])
    func malformed(text: String, mistake: AbsoluteURL.Mistake) {
        #expect(throws: mistake) { try AbsoluteURL(Array(text.utf8).span) }
    }

    @Test(
        "Only names that every resolver reads the same are host names",
        arguments: [
            ("localhost", true), ("a-b.example", true), ("my_container", true), ("a1", true), ("1a", true),
            ("0.example", true), ("", false), ("a..b", false), (".a", false), ("a.", false), ("-a", false),
            ("a-.b", false), ("127.1", false), ("2130706433", false), ("0x7f000001", false), ("0177.0.0.1", false),
            ("a%31", false), ("*.a", false), (String(repeating: "a", count: 63), true),
            (String(repeating: "a", count: 64), false), (String(repeating: "a.", count: 126) + "a", true),
            (String(repeating: "a.", count: 126) + "ab", false),
        ])
    func hostNames(text: String, isHostName: Bool) {
        #expect(Array(text.utf8).span.isHostName == isHostName)
    }

    @Test("IP literals are those that inet_pton accepts, with the same octets")
    func literals() {
        var random = SystemRandomNumberGenerator()
        let parts = ["0", "1", "25", "255", "256", "01", "ffff", "abcde", ":", "::", ".", ".1.2.3", "127.0.0.1"]
        var accepted = 0
        for _ in 0..<50_000 {
            let count = Int.random(in: 0...12, using: &random)
            let separator = ["", ":", "."].randomElement(using: &random) ?? ""
            let words = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }
            let text = words.joined(separator: separator)
            let expected = Self.octets(of: text)
            #expect(IPAddress(Array(text.utf8).span)?.octets == expected, "\(text)")
            accepted += expected == nil ? 0 : 1
        }
        #expect(accepted > 100)
    }

    private static func octets(of text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var octets = [UInt8](repeating: 0, count: count)
            // The function reads a NUL-terminated copy and writes exactly the bytes of the address family.
            if unsafe inet_pton(family, text, &octets) == 1 { return octets }
        }
        return nil
    }
}
