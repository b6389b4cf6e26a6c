import Testing

@testable import DataFormats
@testable import PresignService

@Suite("Mistakes in a configuration file")
struct ConfigurationMistakeTests {
    /// A file with `^` at its mistake, and a part of the message.
    struct Case: CustomTestStringConvertible, Sendable {
        let marked: String
        let message: String
        var testDescription: String { marked }

        init(_ marked: String, _ message: String) { (self.marked, self.message) = (marked, message) }

        var yaml: String { marked.filter { $0 != "^" } }

        /// `line:column` of the mark.
        var place: String {
            let before = marked.prefix { $0 != "^" }.split(separator: "\n", omittingEmptySubsequences: false)
            return "\(before.count):\((before.last?.count ?? 0) + 1)"
        }
    }

    static let start = "version: 1\nstores:\n  media: {bucket: acme, region: eu-west-1}\n"
    private static let hash = "sha256:" + String(repeating: "0", count: 64)
    private static let misplacedKey = "psk_web_" + String(repeating: "S", count: 43)

    static let sections: [Case] = [
        ("^sever: {}", "unknown key `sever`"), ("server: {^lop: 1}", "unknown key `server.lop`"),
        ("server: {limits: {^bdy: 1k}}", "unknown key"), ("server: {timeouts: {^hedder: 1s}}", "unknown key"),
        ("aws: {^creds: chain}", "unknown key `aws.creds`"), ("aws: {credentials: ^'profile:'}", "profile:NAME"),
        ("aws: {minRemaining: ^10}", "a time such as"), ("aws: {minRemaining: ^61m}", "0 to 3600 seconds"),
        ("aws: {minRemaining: 1m, ^minRemaining: 2m}", "duplicate"), ("aws: ^chain", "a mapping"),
        ("expires: {^mx: 1h}", "unknown key"), ("existence: {^tiemout: 1s}", "unknown key"),
        ("auth: {^gest: true}", "unknown key"), ("auth: {apiKeys: [{^idd: x, hashes: [\"\(hash)\"]}]}", "unknown key"),
        ("lfs: {^stor: media}", "unknown key `lfs.stor`"), ("lfs: {store: ^medja}", "did you mean `media`?"),
        ("lfs: {prefix: ^/a}", "not a valid path"), ("lfs: ^true", "a mapping"),
        ("shares: {^kys: []}", "unknown key"), ("shares: {keys: ^[]}", "at least one key"),
        ("shares: {keys: [{id: ^\"a b\", file: f}]}", "1 to 16 visible ASCII"),
        ("shares: {keys: [{id: a, file: f}, ^{id: a, file: g}]}", "duplicate id `a`"),
        ("shares: {url: ^https://a.example/, keys: [{id: a, file: f}]}", "without a path"),
        ("shares: {keys: [{id: a, file: f}], revoked: [^{}]}", "at least one of"),
        ("shares: {keys: [{id: a, file: f}], revoked: [{before: ^soon}]}", "must be a date"),
        ("shares: {keys: [{id: a, file: f}], revoked: [{path: ^\"{identity}/**\"}]}", "placeholder"),
        ("rules: [{path: a, allow: {authenticated: [get]}, share: {^max: 1d}}]", "unknown key"),
        ("rules: [{path: a, allow: {authenticated: [get]}, share: {get: ^3651d}}]", "1 to 315360000 seconds"),
        ("cors: {^origin: []}", "unknown key"), ("log: {^lvl: info}", "unknown key"),
        ("rules: [{^pth: a, allow: {guest: [get]}}]", "unknown key"), ("deny: [{path: a, ^stor: x}]", "unknown key"),
        ("rules: [{path: a, allow: {guest: {actions: [get], ^acts: [get]}}}]", "unknown key"),
        ("rules: [{path: a, allow: {guest: [write]}, write: {^typs: [a/b]}}]", "unknown key"),
        ("^version: 1", "duplicate"), ("server: {loops: 1, ^loops: 2}", "duplicate"),
        ("server: {listen: ^8080}", "listen address"), ("server: {listen: [\":1\", ^localhost]}", "listen address"),
        ("server: {listen: ^[]}", "at least one"), ("server: {listen: ^\"1.2.3.4:65536\"}", "listen address"),
        ("server: {loops: ^two}", "whole decimal number"),
        ("server: {limits: {body: ^255}}", "must be 256 to"), ("server: {limits: {inFlight: ^0}}", "must be 1 to"),
        ("server: {limits: {accepts: ^65536}}", "1 to 65535"),
        ("server: {timeouts: {answer: ^9ms}}", "must be 0.01 seconds to 3600"),
        ("server: {timeouts: {idle: ^60}}", "a time such as"),
        ("server: ^[]", "a mapping"), ("expires: {default: ^2h, max: 1h}", "must not be longer"),
        ("expires: {max: ^8d}", "1 to 604800"), ("expires: {max: ^0s}", "1 to 604800"),
        ("existence: ^{timeout: 120s}", "must be shorter than `server.timeouts.answer`"),
        ("server: ^{timeouts: {answer: 5s}}", "`existence.timeout` must be shorter"),
        ("expires: {default: ^500ms}", "a time such as"), ("existence: {maximumInFlight: ^0}", "must be 1 to"),
        ("auth: {apiKeys: [{id: ^.., hashes: []}]}", "not . or .."),
        ("auth: {apiKeys: [{id: k, hashes: [\"\(hash)\"], identity: ^a/b}]}", "a single path segment"),
        ("auth: {apiKeys: [{id: k, hashes: [\"\(hash)\"], identity: ^\"%2e%2E\"}]}", "a single path segment"),
        ("audit: {to: ^\"unix:/\(String(repeating: "a", count: 107))\"}", "at most 107 bytes"),
        ("auth: {guest: ^yes}", "true or false"), ("cors: {origins: [^https://a.example/]}", "trailing slash"),
        ("cors: {origins: [^\"null\"]}", "sandboxed frames"), ("cors: {origins: ^\"*\"}", "a list"),
        ("cors: {origins: [^\"https://*.example.com\"]}", "patterns are not supported; list each origin"),
        ("cors: {headers: [^\"*\"]}", "name each header"), ("cors: {headers: [^X-Tenant]}", "lower case: `x-tenant`"),
        ("cors: {headers: [^\"x tenant\"]}", "a header name"), ("cors: {headers: [^cookie]}", "decides who calls"),
        ("cors: {headers: [x-a, ^host]}", "decides who calls"), ("cors: {headers: [^forwarded]}", "decides who calls"),
        ("cors: {headers: [^x-forwarded-for]}", "decides who calls"),
        ("cors: {headers: ^[\((1...33).map { "x-\($0)" }.joined(separator: ", "))]}", "at most 32 headers"),
        ("server: {shutdownDelay: ^5}", "a time such as"), ("server: {shutdownDelay: ^11m}", "must be 0"),
        ("metrics: {^adress: a}", "unknown key `metrics.adress`"), ("metrics: {enabled: ^on}", "true or false"),
        ("metrics: {listen: ^9090}", "listen address"),
        ("metrics: {enabled: false, listen: ^\":9090\"}", "is allowed only with `enabled: true`"),
        ("page: ^yes", "true or false"), ("page: {language: ^fr}", "must be one of de, en, but is `fr`"),
        ("page: {title: ^''}", "at least one character"),
        ("page: {title: ^\"a\\tb\"}", "none of them a control character"),
        ("page: {title: ^\(String(repeating: "a", count: 65))}", "must have 1 to 64 characters"),
        ("local: {directory: d, ^dir: data}", "unknown key `local.dir`"),
        ("local: ^{}", "needs the key `directory`"), ("local: {directory: d, listen: ^\"0.0.0.0:1\"}", "loopback"),
        ("local: {directory: d, listen: ^\"unix:/s\"}", "loopback"),
        ("limits: {^perCallers: 1/s}", "unknown key `limits.perCallers`"),
        ("limits: {perCaller: ^100}", "a rate such as"),
        ("limits: {perCaller: ^100/d}", "a rate such as"),
        ("limits: {perGuest: ^0/s}", "1 to 1000000 per period"),
        ("limits: {perGuest: ^-1/s}", "a rate such as"), ("limits: {perGuest: ^1000001/s}", "1 to 1000000"),
        ("limits: {perGuest: ^\"1/s\"}", "a rate such as"), ("limits: {perGuest: ^012/s}", "a rate such as"),
        ("limits: {perGuest: ^1 /s}", "a rate such as"), ("limits: {perCaller: ^[1/s]}", "a rate such as"),
        ("limits: {perCaller: ^{burst: 2}}", "needs the key `rate`"), ("limits: {perCaller: ^off}", "a rate such as"),
        ("limits: {perCaller: {rate: 1/s, burst: ^0}}", "1 to 1000000"),
        ("limits: {perCaller: {rate: 1/h, burst: ^721}}", "30 days"), ("limits: {headers: ^yes}", "true or false"),
        ("log: {level: ^loud}", "must be one of"), ("presets: [^amplifi]", "amplify"),
        ("auth: {apiKeys: [{id: ^a b, hashes: [\"\(hash)\"]}]}", "1 to 64"),
        ("auth: {apiKeys: [{id: a, hashes: ^[]}]}", "at least one hash"),
        ("auth: {apiKeys: [^{id: a}]}", "needs the key `hashes`"),
        ("auth: {apiKeys: [{id: a, hashes: [^\(misplacedKey)]}]}", "must be sha256:"),
        ("auth: {apiKeys: [{id: a, hashes: [^\"\(hash)0\"]}]}", "must be sha256:"),
        ("auth: {apiKeys: [{id: a, hashes: [\"\(hash)\"], notAfter: ^2027-06-30}]}", "RFC 3339"),
        ("auth: {apiKeys: [{id: a, hashes: [\"\(hash)\"]}, ^{id: a, hashes: [\"\(hash)\"]}]}", "the duplicate id `a`"),
        ("rules: [{path: a/**, store: ^nope, allow: {everyone: [get]}}]", "unknown store `nope`"),
        ("rules: [{path: a/**, allow: {everyone: [^fetch]}}]", "unknown action"),
        ("rules: [{path: ^/a, allow: {everyone: [get]}}]", "the path"),
    ].map { Case(start + $0.0, $0.1) }

    static let stores: [Case] = [
        ("  media:\n    ^region: eu-west-1", "needs the key `bucket`"),
        ("  media:\n    ^bucket: acme", "needs the key `region`"),
        ("  media:\n    bucket: acme\n    region: eu-west-1\n    ^acelerate: true", "unknown key"),
        (
            "  ^a: {bucket: a1a, region: r, default: true}\n  b: {bucket: b1b, region: r, default: true}",
            "exactly one store"
        ),
        ("  ^a: {bucket: a1a, region: r}\n  b: {bucket: b1b, region: r}", "exactly one store"),
        ("  ^bad name: {bucket: acme, region: r}", "the store name `bad name` is invalid"),
        ("  media: {bucket: acme, region: r, prefix: ^v1}", "end in \"/\""),
        ("  media: {bucket: acme, region: r, prefix: ^/v1/}", "end in \"/\""),
        ("  media: {bucket: acme, region: r, prefix: ^a/../}", "end in \"/\""),
        (
            "  media: {bucket: acme, region: r, credentials: ^IMDS}",
            "chain, environment, profile:NAME, process, container, imds or webIdentity"
        ),
        ("  media: {bucket: acme, region: r, addressing: ^auto-path}", "path"),
        ("  media: {bucket: ^\"acme/media\", region: r}", "not a valid bucket name"),
        ("  media: {bucket: acme, region: ^EU}", "not an AWS region"),
        ("  media: {bucket: acme, region: r, accelerate: ^true, endpoint: \"http://a\"}", "custom endpoint"),
        ("  media: {bucket: a.b, region: r, accelerate: ^true}", "Leave out accelerate, or"),
        ("  media: {bucket: acme, region: r, addressing: path, accelerate: ^true}", "does not support path-style"),
        ("  media: {bucket: acme, region: r, dualstack: ^true, endpoint: \"http://a\"}", "custom endpoint"),
        ("  media: {bucket: acme, region: cn-north-1, fips: ^true}", "no FIPS"),
        ("  media: {bucket: acme, region: r, endpoint: ^\"ftp://a\"}", "http://"),
        ("  media: {bucket: acme, region: r, endpoint: ^\"http://u:p@a\"}", "user name"),
        ("  media: {bucket: acme, region: r, endpoint: \"http://a\", publicEndpoint: ^\"https://a/?b\"}", "query"),
        ("  media: {bucket: acme, region: r, publicEndpoint: ^files.example.com}", "http://"),
        ("  media: {bucket: acme, region: r, publicEndpoint: ^\"https://files.example.com\"}", "needs `endpoint`"),
        ("  media: {bucket: acme, region: r, accelerate: ^true, publicEndpoint: \"http://a\"}", "custom endpoint"),
    ].map { Case("version: 1\nstores:\n" + $0.0, $0.1) }

    static let issuers: [Case] = [
        ("^{}", "needs the key `name`"), ("{name: n, \(idp), jwks: f, ^isuer: x}", "unknown key"),
        ("{name: ^a b, \(idp), jwks: f}", "1 to 64"),
        ("^{name: n, \(idp)}", "exactly one of `jwks`"),
        ("^{name: n, \(idp), jwks: f, pem: g}", "exactly one of `jwks`"),
        ("^{name: n, \(idp), jwks: f, secretFile: g}", "exactly one of `jwks`"),
        ("^{name: n, \(idp), jwks: f, discovery: true}", "has 2"),
        ("{name: n, issuer: ^i, audience: a, algorithms: [RS256], discovery: true}", "must be an https URL"),
        ("{name: n, issuer: ^\"http://a.example\", audience: a, algorithms: [RS256], discovery: true}", "an https URL"),
        ("{name: n, \(idp), jwks: ^\"http://a.example/keys\"}", "only for localhost"),
        ("{name: n, \(idp), jwks: ^\"https://u@a.example/keys\"}", "a URL with https"),
        ("{name: n, \(idp), pem: ^\"https://a.example/keys\"}", "only `jwks` can be a URL"),
        ("{name: n, \(idp), jwks: f, maxStale: ^24h}", "for keys that are fetched"),
        ("{name: n, \(idp), jwks: \"https://a.example/keys\", maxStale: ^5m}", "3600 to 2592000"),
        ("{name: n, audience: a, algorithms: [RS256], jwks: f, tenant: ^t}", "needs a `preset`"),
        ("{name: n, preset: keycloak, audience: a, tenant: ^t}", "not known for the preset `keycloak`"),
        ("^{name: n, preset: auth0, audience: a, tenant: a.auth0.com, issuer: \"https://b.auth0.com/\"}", "keep one"),
        ("{name: n, preset: auth0, audience: a, tenant: ^\"https://a.auth0.com/\"}", "example.eu.auth0.com"),
        ("{name: n, preset: entra, audience: a, tenant: ^common}", "6babcaad-604b-40ac-a9d7-9fd97c0b779f"),
        ("^{name: n, jwks: f, audience: a, algorithms: [RS256]}", "needs the key `issuer`"),
        ("^{name: n, jwks: f, issuer: i, algorithms: [RS256]}", "needs the key `audience`"),
        ("^{name: n, jwks: f, issuer: i, audience: a}", "needs the key `algorithms`"),
        ("{name: n, jwks: f, issuer: i, audience: ^[], algorithms: [RS256]}", "at least one audience"),
        ("{name: n, jwks: f, issuer: i, audience: [a, ^\"\"], algorithms: [RS256]}", "at least one character"),
        ("{name: n, jwks: f, issuer: i, audience: a, algorithms: ^[]}", "at least one algorithm"),
        ("{name: n, jwks: f, issuer: i, audience: a, algorithms: [^none]}", "must be one of RS256"),
        ("{name: n, jwks: f, issuer: i, audience: a, algorithms: [RS256, ^rs256]}", "must be one of RS256"),
        ("{name: n, jwks: f, issuer: i, audience: a, algorithms: [RS256, ^HS256]}", "HS256, which needs"),
        ("{name: n, secretFile: f, issuer: i, audience: a, algorithms: [HS256, ^RS256]}", "RS256, which needs"),
        ("^{name: n, preset: auth0, secretFile: f, issuer: i/, audience: a}", "needs the key `algorithms`"),
        ("{name: n, preset: ^octa, jwks: f, issuer: i, audience: a}", "must be one of cognito"),
        ("{name: n, preset: auth0, jwks: f, issuer: ^\"https://t.auth0.com\", audience: a}", "end in \"/\""),
        ("{name: n, \(idp), jwks: f, leeway: ^61s}", "0 to 60"),
        ("{name: n, \(idp), jwks: f, leeway: ^5}", "a time"),
        ("{name: n, \(idp), jwks: f, maxAge: ^0s}", "must be 1 to"),
        ("{name: n, \(idp), jwks: f, typ: ^\"\"}", "character"),
        ("{name: n, \(idp), jwks: f, tokenUse: ^refresh}", "must be id or access"),
        ("{name: n, \(idp), jwks: f, claims: {^a b: x}}", "the claim name `a b`"),
        ("{name: n, \(idp), jwks: f, authorizedParties: ^[]}", "at least one client"),
        ("{name: n, \(idp), jwks: f, authorizedParties: ^app}", "a list"),
        ("{name: n, \(idp), jwks: f, clientIDs: [c, ^\"\"]}", "at least one character"),
        ("{name: n, \(idp), jwks: f, separator: ^\", \"}", "one character"),
        ("{name: n, \(idp), jwks: f, separator: ^a}", "one character"),
        ("{name: n, \(idp), jwks: f, separator: ^é}", "one character"),
        ("{name: n, \(idp), jwks: f, separator: ^\"\\t\"}", "one character"),
        ("{name: n, \(idp), jwks: f, header: ^[X-A, X-B]}", "must be text"),
        ("{name: n, \(idp), jwks: f, header: ^X_Token}", "letters, digits and hyphens"),
        ("{name: n, \(idp), jwks: f, header: ^\"X-A: b\"}", "letters, digits and hyphens"),
        ("{name: n, \(idp), jwks: f, claims: {identity: ^[]}}", "at least one name"),
        ("{name: n, \(idp), jwks: f, claims: {groups: ^{a: b}}}", "text"),
        ("{name: n, \(idp), jwks: f}, ^{name: n, preset: entra, issuer: j, audience: a, jwks: f}", "duplicate name"),
        ("{name: n, \(idp), jwks: f}, ^{name: m, \(idp), jwks: f}", "a duplicate `issuer`"),
    ].map { Case(start + "auth: {jwt: [" + $0.0 + "]}", $0.1) }

    private static let idp = "issuer: i, audience: a, algorithms: [RS256]"

    static let documents: [Case] = [
        Case("^stores: {a: {bucket: acme, region: r}}", "needs the key `version`"), Case("^version: 1", "`stores`"),
        Case("version: ^2\nstores: {a: {bucket: acme, region: r}}", "must be 1"),
        Case("version: ^\"1\"\nstores: {a: {bucket: acme, region: r}}", "whole decimal number"),
        Case("version: 1\nstores: ^{}", "at least one store"), Case("^", "a mapping"),
    ]

    /// All mistakes of a file, each with the start of its message.
    static let several: [(yaml: String, lines: [String])] = [
        (
            """
            version: 1
            stores:
              media: {bucket: acme, regoin: eu-west-1}
              docs: {bucket: acme-docs, region: eu-west-1, links: yes, defualt: true}
            sever: {}
            server: {listen: 8080, limits: {bdy: 1k, headers: 1}, timeouts: {idle: 60, write: 5}}
            auth:
              apiKeys:
                - {id: a b, hashes: [x]}
                - {id: web, hashes: [x]}
              mtls: {identity: dns}
            log: {level: infos, requests: no}
            groups: adaptive
            rules:
              - {path: a/**, alow: {guest: [get]}}
              - {path: b/**, allow: {gest: [wirte], owner: {action: [get]}}, write: {maxSize: big, checksum: sha265}}
              - {path: c/**, store: dcs, allow: {guest: [get]}}
            deny:
              - {path: a, actons: [get]}
            """,
            [
                "3:25: unknown key `stores.media.regoin`; did you mean `region`?",
                "4:55: `stores.docs.links` must be true or false",
                "4:60: unknown key `stores.docs.defualt`; did you mean `default`?",
                "5:1: unknown key `sever`; did you mean `server`?",
                "6:18: `server.listen`",
                "6:33: unknown key `server.limits.bdy`; did you mean `body`?",
                "6:51: `server.limits.headers` must be 256 to",
                "6:72: `server.timeouts.idle` must be a time",
                "6:83: `server.timeouts.write` must be a time",
                "9:12: `auth.apiKeys[0].id` must be 1 to 64",
                "9:26: `auth.apiKeys[0].hashes[0]` must be sha256:",
                "10:26: `auth.apiKeys[1].hashes[0]` must be sha256:",
                "11:20: `auth.mtls.identity` must be one of san.uri, san.dns or san.email",
                "12:14: `log.level` must be one of trace, debug, info, notice, warning or error; did you mean `info`?",
                "12:31: `log.requests` must be true or false",
                "13:9: `groups` must be additive or exclusive; did you mean `additive`?",
                "15:18: unknown key `rules[0].alow`; did you mean `allow`?",
                "16:26: unknown grantee `gest`; use everyone",
                "16:33: unknown action `wirte`; use get, list, read, write, delete or multipart; did you mean `write`?",
                "16:41: `owner` needs a placeholder",
                "16:49: unknown key `rules[1].allow.owner.action`; did you mean `actions`?",
                "16:83: `rules[1].write.maxSize` must be a size",
                "16:98: `rules[1].write.checksum` must be sha256; did you mean `sha256`?",
                "17:25: unknown store `dcs`; add it to `stores`, or fix the name; did you mean `docs`?",
                "19:15: unknown key `deny[0].actons`; did you mean `actions`?",
            ]
        ),
        (
            "aws: {credentials: cain}\nstores: {}",
            [
                "1:1: the top level needs the key `version`; add it",
                "1:20: `aws.credentials` must be", "2:9: `stores` must contain at least one store",
            ]
        ),
        ("version: 1\nserver: [\nrules: [{alow: x}]", ["3:6: YAML: "]),
    ]

    @Test("All mistakes are reported in file order; invalid YAML ends the list", arguments: several)
    func all(yaml: String, lines: [String]) {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
        }
        let found = error?.description.split(separator: "\n").map(String.init) ?? []
        #expect(found.count == lines.count, "\(found.joined(separator: "\n"))")
        for (found, line) in zip(found, lines) { #expect(found.hasPrefix("c.yaml:" + line), "\(found)") }
    }

    @Test(
        "Each mistake is reported with its line and column",
        arguments: [sections, stores, documents, issuers, headers, proxy, tls].flatMap { $0 })
    func mistake(_ mistake: Case) {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try ServiceConfiguration(parsing: Array(mistake.yaml.utf8), file: "c.yaml")
        }
        #expect(error?.position.description == "c.yaml:" + mistake.place)
        #expect(error?.message.contains(mistake.message) == true, "\(error?.message ?? "")")
        #expect(error?.description.contains(Self.misplacedKey.suffix(43)) == false)
        #expect(error?.description.contains("u:p@") == false)
    }
}
