import CPlatform
package import Text

/// The address of a connection's peer, without the port.
package enum PeerAddress: Sendable, Hashable {
    /// An IPv4 address. The first octet is the most significant: 127.0.0.1 is `0x7F00_0001`.
    case ipv4(UInt32)
    /// An IPv6 address. The first group is the most significant.
    case ipv6(UInt64, UInt64)
    /// A Unix socket, which has no address.
    case unix

    init(_ peer: presign_peer) {
        var address = peer.address
        // unsafe: the local tuple is 16 initialized bytes.
        let octets = unsafe withUnsafeBytes(of: &address) { unsafe [UInt8]($0) }
        let number = { (range: Range<Int>) in octets[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self =
            switch peer.family {
            case 4: .ipv4(UInt32(number(0..<4)))
            case 6: .ipv6(number(0..<8), number(8..<16))
            default: .unix
            }
    }
}

extension PeerAddress {
    /// Parses an IP literal; see `IPAddress`.
    package init?(literal: Span<UInt8>) {
        guard let address = IPAddress(literal) else { return nil }
        self.init(address)
    }

    /// Converts an address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) becomes the IPv4 address.
    package init(_ address: IPAddress) {
        self =
            switch address {
            case .v4(let address): .ipv4(address)
            case .v6(0, let low) where low >> 32 == 0xFFFF: .ipv4(UInt32(truncatingIfNeeded: low))
            case .v6(let high, let low): .ipv6(high, low)
            }
    }

    /// The address in network byte order: 4 or 16 bytes; empty for a Unix socket.
    package var octets: [UInt8] {
        switch self {
        case .ipv4(let address): IPAddress.v4(address).octets
        case .ipv6(let high, let low): IPAddress.v6(high, low).octets
        case .unix: []
        }
    }

    /// Whether it is an address of this machine: 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let address): address >> 24 == 127
        case .ipv6(let high, let low): high == 0 && low == 1
        case .unix: false
        }
    }

    /// Resolves a host name with the system's resolver, which may block for long.
    ///
    /// - Returns: the addresses without duplicates, in the resolver's order; empty if the name has no address or the
    ///   lookup fails.
    package static func addresses(of host: String) -> [PeerAddress] {
        var found = [presign_peer](repeating: presign_peer(), count: 32)
        // unsafe: the call writes at most `count` structures and reads a NUL-terminated copy of the name.
        let count = unsafe found.withUnsafeMutableBufferPointer { buffer in
            unsafe presign_socket_resolve(host, buffer.baseAddress, Int32(buffer.count))
        }
        return found.prefix(Int(max(0, count))).map { PeerAddress($0) }.reduce(into: []) { addresses, address in
            if !addresses.contains(address) { addresses.append(address) }
        }
    }

    /// Appends `description`.
    package func append(to output: inout ByteBuffer) {
        guard case .ipv4(let address) = self else { return output.append(utf8: description) }
        output.append(decimal: Int(address >> 24))
        for shift: UInt32 in [16, 8, 0] {
            output.append(ASCII.dot)
            output.append(decimal: Int(address >> shift & 0xFF))
        }
    }
}

extension PeerAddress: CustomStringConvertible {
    /// `192.0.2.1`, `2001:db8::1` (RFC 5952), or `unix`.
    package var description: String {
        switch self {
        case .ipv4:
            var text = ByteBuffer()
            append(to: &text)
            return String(decoding: text.bytes, as: UTF8.self)
        case .ipv6(let high, let low):
            return IPAddress.v6(high, low).description
        case .unix:
            return "unix"
        }
    }
}
