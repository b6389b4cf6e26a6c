import CallerAuthentication
import Foundation
import PresignService
import Presigning
import Requests
import TestSupport
import Testing

@Suite("Share links of an earlier version")
struct ShareCompatibilityTests {
    private static let file = KeptFile("shares.json")

    private struct Kept: Codable {
        let kind: String
        let token: String
        /// What the link holds.
        let share: [String: String]
    }

    private static func links() throws -> ShareLinks {
        let configuration = try ServiceConfiguration(
            parsing: try KeptFile("configuration.yaml").bytes, file: "configuration.yaml")
        return try #require(
            try ShareLinks(configuration.shares, configuration.authentication) { try KeptFile($0).bytes })
    }

    @Test("They open, and hold what they held", .disabled(if: KeptFile.isRefreshing))
    func open() throws {
        let links = try Self.links()
        let kept = try JSONDecoder().decode([Kept].self, from: Data(try Self.file.bytes))
        #expect(kept.count == Self.shares.count)
        for link in kept {
            let opened = try links.open(Array(link.token.utf8)[...])
            #expect(Self.content(of: opened.share) == link.share, "\(link.kind)")
            let minter = try links.minter(of: opened, at: Self.start)
            #expect(minter.label == opened.share.minter.label, "\(link.kind)")
        }
    }

    // MARK: Written by refresh.sh

    private static let start = SigningTime(secondsSince1970: 1_800_000_000)

    /// A link of each kind.
    private static var shares: [(kind: String, share: Share)] {
        let callers: [(String, Caller)] = [
            ("an API key", Caller(apiKeyID: "web", identity: nil)),
            (
                "a token",
                Caller(
                    token: .init(
                        issuerName: "users", issuer: [], subject: Array("a1b2".utf8), keyID: nil, tokenID: nil,
                        expiry: 0),
                    identity: Array("carol".utf8), groups: [Array("editors".utf8)],
                    claims: [.init(name: "tenant", value: "acme")], isGuest: false)
            ),
            ("a proxy", Caller(proxied: Array("dave".utf8), groups: [Array("staff".utf8)])),
            ("a certificate", Caller(certificate: Array("svc.local".utf8))),
        ]
        let end = start.advanced(bySeconds: 7_776_000)
        var shares = callers.map { name, caller in
            (
                "download, by \(name)",
                Share(of: Array("docs/é.pdf".utf8), in: "media", by: caller, from: start, until: end)
            )
        }
        var upload = Share(of: Array("inbox/a".utf8), in: "archive", by: callers[0].1, from: start, until: end)
        upload.isUpload = true
        shares.append(("upload", upload))
        (upload.types, upload.maximumSize, upload.keepsExisting) = (MediaRange("image/*"), 5_497_558_138_880, true)
        return shares + [("limited upload", upload)]
    }

    private static func content(of share: Share) -> [String: String] {
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        return [
            "store": share.store, "path": text(share.path), "isUpload": "\(share.isUpload)",
            "types": share.types.map { "\($0)" } ?? "any", "maximumSize": share.maximumSize.map { "\($0)" } ?? "any",
            "keepsExisting": "\(share.keepsExisting)", "created": share.created.rfc3339Text,
            "expires": share.expires.rfc3339Text, "minter": text(share.minter.label),
            "identity": share.minter.identity.map(text) ?? "none",
            "groups": share.minter.groups.map(text).joined(separator: ","),
            "claims": share.minter.claims.map { "\(text($0.name))=\(text($0.value))" }.joined(separator: ","),
        ]
    }

    @Test("Links are kept", .enabled(if: KeptFile.isRefreshing))
    func keep() throws {
        let links = try Self.links()
        let kept = try Self.shares.map { kind, share in
            Kept(kind: kind, token: try #require(try links.seal(share)).token, share: Self.content(of: share))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try Self.file.write(String(decoding: try encoder.encode(kept), as: UTF8.self) + "\n")
    }
}
