import Testing

@testable import CallerAuthentication
@testable import System

@Suite("Networks of trusted proxies")
struct TrustedProxyNetworksTests {
    @Test(
        "A network contains the addresses of its prefix",
        arguments: [
            ("127.0.0.1/32", "127.0.0.1", true), ("127.0.0.1/32", "127.0.0.2", false),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.0", false),
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.0.0.0/9", "10.127.0.1", true), ("10.0.0.0/9", "10.128.0.1", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "::", false), ("::/0", "2001:db8::1", true),
            ("::/0", "203.0.113.9", false), ("::/0", "::ffff:203.0.113.9", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::", false),
            ("2001:db8::/64", "2001:db8::ffff:0:0:1", true), ("2001:db8::/64", "2001:db8:0:1::", false),
            ("2001:db8::/65", "2001:db8::7fff:0:0:1", true), ("2001:db8::/65", "2001:db8:0:0:8000::", false),
            ("2001:db8::1/128", "2001:db8::1", true), ("2001:db8::1/128", "2001:db8::2", false),
            ("2001:db8::1", "2001:db8::1", true), ("::1", "0.0.0.1", false), ("unix", "127.0.0.1", false),
        ])
    func membership(network: String, peer: String, isMember: Bool) throws {
        var peers = TrustedProxyNetworks()
        try peers.add(network)
        let address = PeerAddress(literal: Array(peer.utf8).span)
        #expect(address.map(peers.contains) == isMember)
        #expect(peers.contains(.unix) == (network == "unix"))
    }

    @Test("An empty list contains no peer; one matching network of several is enough")
    func several() throws {
        var peers = TrustedProxyNetworks()
        #expect(!peers.contains(.ipv4(0)) && !peers.contains(.ipv6(0, 0)) && !peers.contains(.unix))
        for network in ["10.0.0.0/8", "fd00::/8", "unix"] { try peers.add(network) }
        #expect(peers.contains(.ipv4(0x0A00_0001)) && peers.contains(.ipv6(0xFD << 56, 1)) && peers.contains(.unix))
        #expect(!peers.contains(.ipv4(0x0B00_0001)))
    }
}
