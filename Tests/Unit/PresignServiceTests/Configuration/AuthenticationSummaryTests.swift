import Testing

@testable import PresignService

@Suite("What check-config says about callers")
struct AuthenticationSummaryTests {
    @Test("It has a line for each issuer with its bindings, header and separator, and one for a proxy with groups")
    func lines() throws {
        let yaml = """
            version: 1
            stores: {media: {bucket: acme-media, region: eu-west-1}}
            auth:
              jwt:
                - {name: a, issuer: a, audience: [x, y], algorithms: [RS256], jwks: f}
                - {name: b, issuer: b, authorizedParties: [p], clientIDs: [c, d], algorithms: [RS256], jwks: f,
                   separator: ","}
                - {name: c, preset: cloudflare-access, tenant: acme, audience: z}
              proxy: {from: [unix], secretHeader: X-S, secretFile: f, identity: X-User, groups: X-Groups, separator: "|"}
            rules: [{path: a, allow: {authenticated: [get]}}]
            """
        let summary = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml").summary
        let start = try #require(summary.firstIndex(of: "token issuers: 3"))
        #expect(
            summary[(start + 1)...].prefix(4) == [
                "issuer a: audience x, y",
                "issuer b: authorized parties p; client ids c, d; groups separated by \",\"",
                "issuer c: audience z; header cf-access-jwt-assertion",
                "proxy: groups in x-groups, separated by \"|\"",
            ])
    }
}
