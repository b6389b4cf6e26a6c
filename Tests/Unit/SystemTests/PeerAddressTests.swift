import Testing

@testable import System

@Suite("Peer addresses")
struct PeerAddressTests {
    @Test(
        "Address literals are parsed, and invalid ones rejected",
        arguments: [
            ("192.0.2.1", .ipv4(0xC000_0201)), ("0.0.0.0", .ipv4(0)), ("::", .ipv6(0, 0)), ("::1", .ipv6(0, 1)),
            ("2001:DB8::1", .ipv6(0x2001_0DB8_0000_0000, 1)), ("::ffff:192.0.2.1", .ipv4(0xC000_0201)),
            ("::ffff:c000:201", .ipv4(0xC000_0201)), ("::192.0.2.1", .ipv6(0, 0xC000_0201)),
            ("::fffe:192.0.2.1", .ipv6(0, 0xFFFE_C000_0201)),
            ("1:2:3:4:5:6:7:8", .ipv6(0x1_0002_0003_0004, 0x5_0006_0007_0008)),
            ("", nil), ("1", nil), ("192.0.2", nil), ("192.0.2.256", nil), ("192.0.2.01", nil), ("192.0.2.1 ", nil),
            (" 192.0.2.1", nil), ("192.0.2.1:80", nil), ("[::1]", nil), ("::1%lo", nil), (":::", nil), ("1:2", nil),
            ("12345::", nil), ("::1\0", nil), ("192.0.2.1\0x", nil), ("unknown", nil), ("unix", nil),
            ("0x7f.0.0.1", nil),
            ("\u{661}.0.0.1", nil), ("1:2:3:4:5:6:7:8:9", nil), ("2130706433", nil),
        ] as [(String, PeerAddress?)])
    func addressLiteral(text: String, address: PeerAddress?) {
        #expect(PeerAddress(literal: Array(text.utf8).span) == address)
    }

    @Test(
        "Peers are printed as in RFC 5952",
        arguments: [
            (PeerAddress.ipv4(0xC000_0201), "192.0.2.1"),
            (.ipv4(0x0009_0AFF), "0.9.10.255"), (.ipv4(0x6364_65C8), "99.100.101.200"),
            (.unix, "unix"), (.ipv6(0, 0), "::"), (.ipv6(0, 1), "::1"),
            (.ipv6(0x2001_0DB8_0000_0000, 0x0001_0000_0000_0001), "2001:db8::1:0:0:1"),
            (.ipv6(0x2001_0DB8_0000_0001, 0x0001_0001_0001_0001), "2001:db8:0:1:1:1:1:1"),
            (.ipv6(0xFE80_0000_0000_0000, 0), "fe80::"),
        ])
    func peer(_ address: PeerAddress, _ expected: String) { #expect(address.description == expected) }
}
