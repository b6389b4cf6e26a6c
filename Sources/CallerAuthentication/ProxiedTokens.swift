package import HTTP1
import Text

/// A token in a header that a proxy sets: the header's name in lower case, and where its value is in the bytes of the
/// headers.
typealias ProxiedToken = (header: [UInt8], value: Range<Int>)

extension CallerAuthenticator {
    /// The tokens in headers from which issuers read them.
    func tokens(in headers: HTTPHeaders) -> [ProxiedToken] {
        if tokenHeaders.isEmpty { return [] }
        return headers.indices.compactMap { index in
            let field = headers.fields[index]
            let name = headers.bytes[field.name.offset(by: headers.base)]
            return tokenHeaders.first { $0.count == name.count && $0 == ASCII.lowercased(name) }.map {
                (header: $0, value: field.value.offset(by: headers.base))
            }
        }
    }

    /// Headers in which proxies send tokens, and what the operator can do with them.
    private static let known: [(name: String, fix: String)] =
        TokenIssuerPreset.allCases.compactMap { preset in
            preset.header.map { ($0, "add an issuer with `preset: \(preset.rawValue)` to `auth.jwt`") }
        } + [
            // Its keys are at URLs by `kid`, and its tokens have no audience.
            ("X-Amzn-Oidc-Data", "see \"A proxy that signs users in\" in the guide's page SignIn")
        ]

    /// The known headers with a token that no issuer reads, each with the fix, for the log.
    package func unreadTokens(in headers: HTTPHeaders) -> [String] {
        let lengths = Self.known.map(\.name.utf8.count)
        return headers.filter { lengths.contains($0.name.count) }.compactMap { name, _ in
            let name = ASCII.lowercased(name)
            guard !tokenHeaders.contains(name),
                let known = Self.known.first(where: { ASCII.lowercased($0.name.utf8) == name })
            else { return nil }
            return "the header `\(known.name)` is not read; \(known.fix)"
        }
    }
}
