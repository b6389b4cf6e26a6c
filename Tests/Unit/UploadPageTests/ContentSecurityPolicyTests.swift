import Testing
import UploadPage

@Suite("Content-Security-Policy of the upload page")
struct ContentSecurityPolicyTests {
    private func directives(_ origins: [String]) -> [Substring] {
        UploadPage.contentSecurityPolicy(connectingTo: origins).split(separator: "; ")
    }

    @Test("The default is 'none'")
    func directives() {
        #expect(
            directives([]) == [
                "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "media-src 'none'",
                "frame-src blob:", "connect-src 'self'",
                "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
                "require-trusted-types-for 'script'", "trusted-types 'none'",
            ])
    }

    @Test(
        "The page may connect to the storage origins, and show their images, video and audio",
        arguments: ["connect-src 'self'", "img-src 'self'", "media-src"])
    func storages(directive: String) {
        #expect(
            directives(["http://127.0.0.1:8081", "https://b.s3.eu-west-1.amazonaws.com"])
                .contains("\(directive) http://127.0.0.1:8081 https://b.s3.eu-west-1.amazonaws.com"))
    }

    @Test(
        "The page may connect to the path of the token endpoint, not to its whole server",
        arguments: [
            ("https://idp.example.com/oauth/token", "https://idp.example.com/oauth/token"),
            ("https://idp.example.com/token?tenant=a", "https://idp.example.com/token"),
            ("https://idp.example.com/a;script-src *", nil), ("", nil),
        ] as [(String, String?)])
    func tokenEndpoint(url: String, source: String?) {
        let policy = UploadPage.contentSecurityPolicy(connectingTo: ["https://s3.test"], tokenEndpoint: url)
        let wanted = ["connect-src 'self' https://s3.test", source].compactMap(\.self).joined(separator: " ")
        #expect(policy.split(separator: "; ").contains(wanted[...]))
        #expect(policy.contains("; form-action 'none'; "))
    }

    @Test(
        "A storage origin cannot add a directive or keyword",
        arguments: [
            "", "https://a; script-src *", "https://a *", "https://a,b", "'unsafe-inline'", "https://a\r\nx: y",
            "https://ä",
        ])
    func injection(origin: String) {
        #expect(
            UploadPage.contentSecurityPolicy(connectingTo: [origin])
                == UploadPage.contentSecurityPolicy(connectingTo: []))
    }
}
