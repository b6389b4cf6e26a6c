extension ConfigurationMistakeTests {
    /// Mistakes in `auth.proxy`.
    static let proxy: [Case] =
        [
            (#"^10.0.0.1/8"#, "bits set after the prefix"), (#"^"fd00::1/8""#, "bits set after the prefix"),
            (#"^"1:2:3:4:5::/79""#, "bits set after the prefix"), (#"^192.0.2.1/31"#, "bits set after the prefix"),
            (#"^"::ffff:10.0.0.0/104""#, "write it as IPv4"), (#"^"::ffff:10.0.0.1""#, "write it as IPv4"),
            ("^10.0.0.0/33", network), ("^10.0.0.0/08", network), ("^10.0.0.0/", network), ("^10.0.0.0/+8", network),
            ("^10.0.0.0/8/8", network), ("^10.0.0/8", network), ("^localhost", network), ("^Unix", network),
            (#"^"::/129""#, network), (#"^"fe80::1%eth0""#, network), (#"10.0.0.0/8, ^"""#, "text"),
        ].map {
            Case(start + "auth: {proxy: {secretHeader: X-S, secretFile: f, identity: X-U, from: [\($0.0)]}}", $0.1)
        }
        + [
            ("secretFile: f, secretHeader: X-S, identity: X-U, from: ^[]", "at least one network"),
            ("secretFile: f, secretHeader: X-S, identity: X-U, from: ^unix", "a list"),
            ("from: [unix], secretFile: f, secretHeader: X-S, identity: ^X_Auth_User", name),
            ("from: [unix], secretFile: f, secretHeader: X-S, identity: ^\"X User\"", name),
            ("from: [unix], secretFile: f, secretHeader: X-S, identity: ^-x", name),
            ("from: [unix], secretFile: f, secretHeader: ^Authorization, identity: X-U", "has another meaning"),
            ("from: [unix], secretFile: f, secretHeader: X-S, clientAddress: ^host", "has another meaning"),
            ("from: [unix], secretFile: f, secretHeader: X-S, identity: ^x-s", "the duplicate header `x-s`"),
            (
                "from: [unix], secretFile: f, secretHeader: X-S, clientAddress: X-C, groups: ^X-G",
                "requires `identity`"
            ),
            (
                "from: [unix], secretFile: f, secretHeader: X-S, identity: X-U, groups: X-G, separator: ^ab",
                "one character"
            ),
            ("from: [unix], secretFile: f, secretHeader: X-S, identity: X-U, separator: ^\"|\"", "requires `groups`"),
        ].map { Case(start + "auth: {proxy: {\($0.0)}}", $0.1) }
        + [
            ("^{from: [unix]}", "needs the key `identity` or `clientAddress`"),
            ("^{secretHeader: X-S}", "needs the key `from`"),
            ("^{from: [unix], secretHeader: X-S}", "needs the key `secretFile`"),
            ("^{from: [unix], identity: X-U}", "needs the key `secretHeader`"),
            ("^{from: [unix], clientAddress: X-C, secretFile: f}", "needs the key `secretHeader`"),
            ("^{from: [unix], clientAddress: X-C, secretHeader: X-S}", "needs the key `secretFile`"),
            ("^{from: [unix], secretHeader: X-S, secretFile: f}", "needs the key `identity`"),
        ].map { Case(start + "auth: {proxy: \($0.0)}", $0.1) }

    private static let network = "must be a network"
    private static let name = "letters, digits and hyphens"
}
