/// An IPv4 or IPv6 address.
public enum IPAddress: Sendable, Hashable {
    /// The first octet is the most significant: 127.0.0.1 is `0x7F00_0001`.
    case v4(UInt32)
    /// The first group is the most significant.
    case v6(UInt64, UInt64)

    /// Parses an IPv4 or IPv6 literal; nil for anything else.
    public init?(_ text: Span<UInt8>) {
        if let address = Self(v4: text) {
            self = address
        } else if let address = Self(v6: text) {
            self = address
        } else {
            return nil
        }
    }

    /// Parses four decimal octets without leading zeros (RFC 6943 section 3.1.1, strict form).
    public init?(v4 text: Span<UInt8>) {
        var address: UInt32 = 0
        var (octet, digits, dots): (UInt32, Int, Int) = (0, 0, 0)
        for index in text.indices {
            if text[index] == ASCII.dot {
                guard digits > 0, dots < 3 else { return nil }
                address = address << 8 | octet
                (octet, digits, dots) = (0, 0, dots + 1)
            } else {
                let isLeadingZero = digits > 0 && octet == 0
                guard ASCII.isDigit(text[index]), !isLeadingZero else { return nil }
                octet = octet * 10 + UInt32(text[index] - ASCII.zero)
                digits += 1
                guard octet <= 255 else { return nil }
            }
        }
        guard dots == 3, digits > 0 else { return nil }
        self = .v4(address << 8 | octet)
    }

    /// Parses eight groups of one to four hexadecimal digits. One run of zero groups may be written as `::`, and the
    /// last two groups as an IPv4 address (RFC 4291 section 2.2). Zone identifiers are rejected.
    public init?(v6 text: Span<UInt8>) {
        var groups: [UInt16] = []
        var gap: Int?
        var index = 0
        if text.starts(with: "::") {
            gap = 0
            index = 2
        }
        while index < text.count {
            let start = index
            var group: UInt16 = 0
            while index < text.count, index - start < 4, let digit = text[index].hexadecimalValue {
                group = group << 4 | UInt16(digit)
                index += 1
            }
            if index < text.count, text[index] == ASCII.dot {
                guard case .v4(let tail)? = Self(v4: text.extracting(start...)) else { return nil }
                groups += [UInt16(tail >> 16), UInt16(tail & 0xFFFF)]
                break
            }
            guard index > start, groups.count < 8 else { return nil }
            groups.append(group)
            guard index < text.count else { break }
            guard text[index] == ASCII.colon, index + 1 < text.count else { return nil }
            index += 1
            if text[index] == ASCII.colon {
                guard gap == nil else { return nil }
                gap = groups.count
                index += 1
            }
        }
        self.init(groups: groups, gap: gap)
    }

    private init?(groups: [UInt16], gap: Int?) {
        var groups = groups
        if let gap {
            guard groups.count <= 7 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        let word = { (groups: ArraySlice<UInt16>) in groups.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        self = .v6(word(groups[..<4]), word(groups[4...]))
    }

    /// The address in network byte order: 4 or 16 bytes.
    public var octets: [UInt8] {
        let bytes = { (word: UInt64, count: Int) in
            (0..<count).map { UInt8(truncatingIfNeeded: word >> (8 * (count - 1 - $0))) }
        }
        return switch self {
        case .v4(let address): bytes(UInt64(address), 4)
        case .v6(let high, let low): bytes(high, 8) + bytes(low, 8)
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// `192.0.2.1` or `2001:db8::1`: the form that browsers and curl send (WHATWG URL, "host serializing").
    ///
    /// It is that of RFC 5952 section 4, also for an embedded IPv4 address: `::ffff:7f00:1`.
    public var description: String {
        switch self {
        case .v4: octets.map { String($0) }.joined(separator: ".")
        case .v6(let high, let low):
            Self.text([high, low].flatMap { word in [48, 32, 16, 0].map { (word >> $0) & 0xFFFF } })
        }
    }

    /// Formats the groups of an IPv6 address. The first of the longest runs of at least two zero groups becomes `::`.
    private static func text(_ groups: [UInt64]) -> String {
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count { longest = start..<index }
            start = index + 1
        }
        let hexadecimal = { (part: ArraySlice<UInt64>) in part.map { String($0, radix: 16) }.joined(separator: ":") }
        guard longest.count > 1 else { return hexadecimal(groups[...]) }
        return hexadecimal(groups[..<longest.lowerBound]) + "::" + hexadecimal(groups[longest.upperBound...])
    }
}
