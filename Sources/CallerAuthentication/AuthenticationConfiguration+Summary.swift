import Text

extension AuthenticationConfiguration {
    /// A line for each issuer, and one for a proxy that sends groups.
    package var summary: [String] {
        let issuers = issuers.map { issuer in
            let bindings = [
                ("audience", issuer.audiences), ("authorized parties", issuer.authorizedParties),
                ("client ids", issuer.clientIDs),
            ].filter { !$1.isEmpty }.map { "\($0) \(Self.names($1))" }
            let header = issuer.header.map { "header \(String(decoding: $0, as: UTF8.self))" }
            let separator = issuer.separator.map { "groups separated by \(Self.quoted($0))" }
            return "issuer \(issuer.name): "
                + (bindings + [header, separator].compactMap(\.self)).joined(separator: "; ")
        }
        let proxy = proxy.flatMap { proxy in
            proxy.groups.map { name in
                "proxy: groups in \(String(decoding: name, as: UTF8.self)), separated by \(Self.quoted(proxy.separator))"
            }
        }
        return issuers + [proxy].compactMap(\.self)
    }

    private static func names(_ texts: [[UInt8]]) -> String {
        texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
    }

    private static func quoted(_ separator: UInt8) -> String { "\"\(Character(Unicode.Scalar(separator)))\"" }
}
