import Foundation
import SocketTestSupport
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning

/// A service with share links.
enum ShareFixture {
    static let files = [
        "k1": "pshk_" + String(repeating: "A", count: 42) + "Q\n",
        "k2": "pshk_" + String(repeating: "B", count: 42) + "Q",
        "proxy-secret": proxySecret,
    ].merging(TokenFixture.files) { $1 }

    static let proxySecret = "0123456789abcdef0123456789abcdef"
    static let keys = "{id: k1, file: k1}"

    /// Rules with share links.
    static let rules = """
        rules:
          - path: docs/**
            allow: {authenticated: [get, write], guest: [get]}
            share: {get: 90d, write: 7d}
          - path: mine/{identity}/**
            allow: {owner: [get]}
            share: {get: 1d}
          - path: tenant/{claim.tenant}/**
            allow: {"{claim.tenant}": [get]}
            share: {get: 1d}
          - path: team/**
            allow: {group:editors: {actions: [get], share: {get: 1d}}, authenticated: [get]}
          - path: inbox/**
            allow: {authenticated: [write]}
            write: {types: [image/*, text/csv], maxSize: 1k, overwrite: false}
            share: {write: 1d}
          - path: set/**
            allow: {authenticated: [write]}
            write: {set: {cacheControl: no-store}}
            share: {write: 1d}
          - path: closed/**
            allow: {authenticated: [get, write]}
        """

    static func yaml(
        keys: String = keys, more: String = "", rules: String = rules, limits: String = "{}", guest: Bool = false,
        apiKeys: String? = nil, window: String = "0s"
    ) -> String {
        var configuration = SampleConfiguration()
        configuration.proxy =
            "proxy: {from: [127.0.0.1/32], secretHeader: X-Proxy-Secret, secretFile: proxy-secret, "
            + "identity: X-Auth-User, clientAddress: X-Forwarded-For}"
        configuration.guest = guest
        configuration.quotas = limits
        configuration.window = window
        configuration.limits = "{requestLine: 4k, headers: 4k, headerCount: 20, body: 4k}"
        let issuers = TokenFixture.yaml.split(separator: "\n").map {
            "    " + $0.replacing("}", with: ", claims: {groups: groups, tenant: tenant, other: other}}") + "\n"
        }
        var text = configuration.yaml.replacing("  apiKeys:", with: "  jwt:\n\(issuers.joined())  apiKeys:")
        if let apiKeys, let range = text.range(of: "    - {id: web, identity") {
            let end = text[range.lowerBound...].firstIndex(of: "\n") ?? text.endIndex
            text.replaceSubrange(range.lowerBound..<end, with: apiKeys)
        }
        if let range = text.range(of: "rules:\n") { text.removeSubrange(range.lowerBound...) }
        return text + "shares: {keys: [\(keys)]\(more)}\naudit: {to: stdout}\n" + rules
    }

    static func service(_ yaml: String = yaml()) throws -> TestService { try TestService(yaml, files: files) }

    /// A complete request to a link.
    static func use(_ method: String, _ link: String, _ headers: [String] = []) -> String {
        let target = link.replacing("http://presign.test", with: "")
        return (["\(method) \(target) HTTP/1.1", "Host: presign.test"] + headers).joined(separator: "\r\n")
            + "\r\n\r\n"
    }
}

extension TestService {
    /// Makes a link.
    func mint(_ body: String, key: String? = SampleConfiguration.Key.web, _ headers: [String] = []) throws -> MintedLink
    {
        let response = try exchange(presignRequest(body, key: key, headers))
        try #require(response.status == 200, "\(response.text)")
        return try JSONDecoder().decode(MintedLink.self, from: Data(response.body))
    }

    /// Uses a link.
    func use(_ link: MintedLink, _ method: String = "GET", _ headers: [String] = []) throws -> RawResponse {
        try exchange(ShareFixture.use(method, link.url, headers), omitsBody: method == "HEAD")
    }
}
