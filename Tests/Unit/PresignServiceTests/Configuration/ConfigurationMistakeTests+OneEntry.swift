import Testing

@testable import DataFormats
@testable import PresignService

extension ConfigurationMistakeTests {
    /// Entries with several mistakes, and the beginning of each message in the order of the file.
    static let entries: [(yaml: String, messages: [String])] =
        [
            (
                "auth: {apiKeys: [{id: \"a b\", hashes: [\"sha256:zz\"]}]}",
                ["`auth.apiKeys[0].id` must be 1 to 64", "`auth.apiKeys[0].hashes[0]` must be sha256:"]
            ),
            (
                "auth: {apiKeys: [{id: ab, notAfter: soon, hashes: [x, y], identity: a/b, groups: [[]]}]}",
                [
                    "`auth.apiKeys[0].notAfter` must be an RFC 3339 time",
                    "`auth.apiKeys[0].hashes[0]` must be", "`auth.apiKeys[0].hashes[1]` must be",
                    "`auth.apiKeys[0].identity` must be a single path segment",
                    "`auth.apiKeys[0].groups[0]` must be text",
                ]
            ),
            (
                "auth: {apiKeys: [{id: a}, {id: a, hashes: []}]}",
                [
                    "`auth.apiKeys[0]` needs the key `hashes`",
                    "`auth.apiKeys[1]` has the duplicate id `a`", "`auth.apiKeys[1].hashes` must contain at least one",
                ]
            ),
            (
                "auth: {jwt: [{name: x, issuer: i, audience: a, algorithms: [RS999], jwks: f, leeway: 99m}]}",
                ["`auth.jwt[0].algorithms[0]` must be one of", "`auth.jwt[0].leeway` must be 0 to 60"]
            ),
            (
                "auth: {jwt: [{preset: cognitoo}]}",
                ["`auth.jwt[0]` needs the key `name`", "`auth.jwt[0].preset` must be one of"]
            ),
            (
                "auth: {jwt: [{name: a b, jwks: [], claims: {a b: [], groups: {}}, tokenUse: x}]}",
                [
                    "`auth.jwt[0]` needs the key `issuer`", "`auth.jwt[0]` needs the key `audience`",
                    "`auth.jwt[0]` needs the key `algorithms`", "`auth.jwt[0].name` must be 1 to 64",
                    "`auth.jwt[0].jwks` must be text", "the claim name `a b`", "`auth.jwt[0].claims.a b` must contain",
                    "`auth.jwt[0].claims.groups` must be text", "`auth.jwt[0].tokenUse` must be id or access",
                ]
            ),
            (
                "auth: {jwt: [{name: n, preset: firebase, secretFile: f}]}",
                ["`auth.jwt[0]` needs the key `issuer`", "`auth.jwt[0]` needs the key `algorithms`"]
            ),
            (
                "auth: {proxy: {from: [x], identity: y}}",
                [
                    "`auth.proxy` needs the key `secretHeader`", "`auth.proxy` needs the key `secretFile`",
                    "`auth.proxy.from[0]` must be a network",
                ]
            ),
            (
                "auth: {proxy: {from: [x, y], clientAddress: a_b, groups: host}}",
                [
                    "`auth.proxy.from[0]` must be", "`auth.proxy.from[1]` must be",
                    "`auth.proxy.clientAddress` must be a header name", "`auth.proxy.groups` must not be `host`",
                    "`auth.proxy.groups` requires `identity`",
                ]
            ),
            (
                "auth: {mtls: {identty: x}, guest: no}",
                ["unknown key `auth.mtls.identty`", "`auth.guest` must be true"]
            ),
            (
                "rules: [{path: a/../b, allow: {evryone: [gt]}}]",
                ["the path `a/../b` ", "unknown grantee `evryone`", "unknown action `gt`"]
            ),
            (
                "rules: [{store: [x], allow: {evryone: {maxSize: x}, guest: [[], gt], owner: get}, expires: {max: 1}}]",
                [
                    "`rules[0]` needs the key `path`", "`rules[0].store` must be text", "unknown grantee `evryone`",
                    "`rules[0].allow.evryone` needs the key `actions`",
                    "`rules[0].allow.evryone.maxSize` must be a size",
                    "`rules[0].allow.guest[0]` must be text", "unknown action `gt`",
                    "`rules[0].allow.owner` must be a list", "`rules[0].expires.max` must be a time",
                ]
            ),
            (
                "deny: [{path: a/, store: x, actions: [gt, []]}]",
                [
                    "the path `a/` ", "unknown store `x`", "unknown action `gt`",
                    "`deny[0].actions[1]` must be text",
                ]
            ),
            (
                "server: {listen: [x, y], tls: {key: [], clients: {crl: []}, plain: [x]}}",
                [
                    "`server.listen[0]` ", "`server.listen[1]` ", "`server.tls` needs the key `certificate`",
                    "`server.tls.key` must be text", "`server.tls.clients` needs the key `ca`",
                    "`server.tls.clients.crl` must be text", "`server.tls.plain[0]` ",
                ]
            ),
            ("local: {directory: [], listen: x}", ["`local.directory` must be text", "`local.listen` "]),
            (
                "limits: {perCaller: {rate: 0, burst: 0}}",
                ["`limits.perCaller.rate` must be a rate", "`limits.perCaller.burst` must be 1 to"]
            ),
            ("cors: {origins: x, maxAge: 1}", ["`cors.origins` must be a list", "`cors.maxAge` must be a time"]),
            (
                "existence: {timeout: 120s}\nauth: {mtls: {identity: san.uri}}\nlog: {level: x}",
                [
                    "`existence.timeout` must be shorter", "`auth.mtls` needs `server.tls.clients`",
                    "`log.level` must be",
                ]
            ),
        ].map { (start + $0, $1) }

    static let storeEntries: [(yaml: String, messages: [String])] =
        [
            ("m: {bucket: acme, region: r, endpoint: \"ftp://x\"}", ["`stores.m.endpoint`: It does not begin with"]),
            (
                "a b: {bucket: a/b, region: a.b, endpoint: \"ftp://x\", publicEndpoint: x, addressing: x, fips: 1}",
                [
                    "the store name `a b` is invalid", "`stores.a b.bucket`: ", "`stores.a b.region`: ",
                    "`stores.a b.endpoint`: ",
                    "`stores.a b.publicEndpoint`: ", "`stores.a b.addressing` must be", "`stores.a b.fips` must be",
                ]
            ),
            (
                "m: {regoin: EU, endpoint: \"http://x\", fips: true, accelerate: true, dualstack: true}",
                [
                    "`stores.m` needs the key `bucket`", "unknown key `stores.m.regoin`", "`stores.m.fips`: ",
                    "`stores.m.accelerate`: ", "`stores.m.dualstack`: ",
                ]
            ),
            (
                "m: {bucket: b, region: cn-north-1, fips: true, accelerate: true, publicEndpoint: \"https://x/?y\"}",
                [
                    "`stores.m.fips`: ", "`stores.m.accelerate`: ", "`stores.m.publicEndpoint`: ",
                    "`stores.m.publicEndpoint` needs `endpoint`",
                ]
            ),
            (
                "m: {bucket: b, region: r, credentials: {read: x, write: y}}",
                ["`stores.m.credentials.read` must be", "`stores.m.credentials.write` must be"]
            ),
        ].map { ("version: 1\nstores:\n  " + $0, $1) }
        + [
            (
                "version: 1\nrules: [{path: a/, store: b, allow: {evryone: [get]}}]",
                ["the top level needs the key `stores`", "the path `a/` ", "unknown grantee `evryone`"]
            )
        ]

    @Test("all mistakes of one entry are reported at once", arguments: entries + storeEntries)
    func allOfOneEntry(yaml: String, messages: [String]) {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
        }
        let found = error?.mistakes.map(\.message) ?? []
        #expect(found.count == messages.count, "\(found.joined(separator: "\n"))")
        for (found, message) in zip(found, messages) { #expect(found.hasPrefix(message), "\(found)") }
    }
}
