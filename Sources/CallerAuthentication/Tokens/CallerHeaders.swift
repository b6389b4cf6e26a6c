import DataFormats
import HTTP1
import Text

/// The name of a header by which a proxy tells who calls, in lower case.
enum CallerHeaderName {
    /// Names with another meaning: those of the connection (RFC 9110 section 7.6.1) and those that clients set.
    private static let reserved =
        CORSPolicy.pageHeaders + [
            "accept", "connection", "content-encoding", "content-length", "cookie", "date", "expect", "host",
            "keep-alive", "origin", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
            "transfer-encoding", "upgrade", "user-agent", "via",
        ]

    /// Reads a name of letters, digits and hyphens. Gateways confuse other characters with hyphens.
    ///
    /// - Parameter example: A name for error messages.
    static func read(_ node: ConfigurationNode, example: String) throws(ConfigurationError) -> [UInt8] {
        let name = ASCII.lowercased(try node.string().utf8)
        let isPlain = name.allSatisfy { ASCII.isAlphanumeric($0) || $0 == ASCII.hyphen }
        guard isPlain, 1...64 ~= name.count, name.first != ASCII.hyphen else {
            throw node.error("must be a header name of 1 to 64 letters, digits and hyphens, such as \(example)")
        }
        let text = String(decoding: name, as: UTF8.self)
        guard !reserved.contains(text) else {
            throw node.error("must not be `\(text)`, which has another meaning; use another header, such as \(example)")
        }
        return name
    }
}

/// The character between the groups in one text, as in the claim `scope` or a header.
enum GroupSeparator {
    /// Further groups of a caller are ignored.
    static let maximumGroups = 1000

    static func read(_ node: ConfigurationNode) throws(ConfigurationError) -> UInt8 {
        let text = Array(try node.string().utf8)
        guard text.count == 1, ASCII.isPrintable(text[0]), !ASCII.isAlphanumeric(text[0]) else {
            throw node.error("must be one character other than letters and digits, such as `,`, `;` or \" \"")
        }
        return text[0]
    }
}
