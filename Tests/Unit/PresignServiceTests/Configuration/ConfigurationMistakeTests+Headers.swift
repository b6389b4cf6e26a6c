extension ConfigurationMistakeTests {
    /// Names that no issuer's `header` may have: other credentials, those of the connection, those that pages may set; and
    /// those in `cors.headers` that decide who calls.
    static let headers: [Case] =
        [
            "Authorization", "AUTHORIZATION", "Cookie", "Host", "X-API-Key", "Connection", "Keep-Alive", "TE",
            "Trailer",
            "Transfer-Encoding", "Upgrade", "Proxy-Authorization", "Proxy-Authenticate", "Proxy-Connection",
            "Content-Type", "X-Request-Id", "Origin", "traceparent", "baggage", "Sentry-Trace", "x-datadog-trace-id",
        ].map {
            Case(
                start + "auth: {jwt: [{name: n, \(issuer), jwks: f, header: ^\($0)}]}",
                "must not be `\($0.lowercased())`, which has another meaning")
        }
        + [
            Case(
                start + "auth: {proxy: {from: [unix], clientAddress: X-Token}, "
                    + "jwt: ^[{name: n, \(issuer), jwks: f, header: x-token}]}",
                "has the `header` `x-token`, which `auth.proxy` reads too"),
            Case(
                start + "auth: {jwt: [{name: n, \(issuer), jwks: f, header: X-Token}]}\ncors: {headers: [^x-token]}",
                "must not be `x-token`, which decides who calls"),
            Case(
                start + "auth: {jwt: [{name: n, preset: google-iap, audience: a}]}\n"
                    + "cors: {headers: [x-a, ^x-goog-iap-jwt-assertion]}", "which decides who calls"),
        ]
        + ["X-A", "X-S"].map {
            Case(
                start + "cors: {headers: [^\($0.lowercased())]}\n"
                    + "auth: {proxy: {from: [unix], secretHeader: X-S, secretFile: f, identity: X-A}}",
                "which decides who calls")
        }
        + [
            Case(
                start + "cors: {headers: [^x-client]}\nauth: {proxy: {from: [unix], clientAddress: X-Client}}",
                "which decides who calls")
        ]

    private static let issuer = "issuer: i, audience: a, algorithms: [RS256]"
}
