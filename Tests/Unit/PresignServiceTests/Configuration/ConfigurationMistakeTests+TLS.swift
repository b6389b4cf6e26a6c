extension ConfigurationMistakeTests {
    /// Mistakes in `server.tls` and `auth.mtls`.
    static let tls: [Case] =
        [
            ("^{certificate: c}", "needs the key `key`"), ("^{key: k}", "needs the key `certificate`"),
            ("{certificate: c, key: k, ^kee: l}", "unknown key `server.tls.kee`"), ("^true", "a mapping"),
            ("{certificate: ^[c], key: k}", "text"), ("{certificate: ^\"\", key: k}", "text"),
            ("{certificate: c, key: k, clients: ^{crl: l}}", "needs the key `ca`"),
            ("{certificate: c, key: k, clients: {ca: a, required: ^yes}}", "true or false"),
            ("{certificate: c, key: k, clients: {ca: a, ^optional: true}}", "unknown key"),
            ("{certificate: c, key: k, plain: ^[]}", "at least one"),
            ("{certificate: c, key: k, plain: [^8080]}", "listen address"),
        ].map { Case(start + "server: {tls: \($0.0)}", $0.1) }
        + [
            ("mtls: {identity: ^san.ip}", "must be one of san.uri, san.dns or san.email"),
            ("mtls: {identity: ^SAN.URI}", "must be one of san.uri, san.dns or san.email"),
            ("mtls: ^{}", "needs the key `identity`"), ("mtls: {identity: san.uri, ^name: x}", "unknown key"),
        ].map {
            Case(start + "auth: {\($0.0)}\nserver: {tls: {certificate: c, key: k, clients: {ca: a}}}", $0.1)
        }
        + ["", "server: {tls: {certificate: c, key: k}}"].map {
            Case(start + "auth: {mtls: ^{identity: san.uri}}\n" + $0, "needs `server.tls.clients`")
        }
}
