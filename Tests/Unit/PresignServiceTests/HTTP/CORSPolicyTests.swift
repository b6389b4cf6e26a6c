import HTTP1
import Testing

@Suite("CORS policy")
struct CORSPolicyTests {
    @Test(
        "Invalid origins are rejected",
        arguments: [
            "null", "app.example.com", "https://app.example.com/", "https://App.example.com", "https://", "ftp://x",
            "https://app.example.com:443", "http://app.example.com:80", "https://*.example.com", "https://a b",
            "http://[::1]:80000", "https://app.example.com:", "https://u@app.example.com", "https://app.example.com?x",
            "HTTPS://app.example.com", "http://[0:0:0:0:0:0:0:1]:8000", "http://[::ffff:127.0.0.1]",
            "http://[fe80::1%25lo]",
        ])
    func mistakes(origin: String) {
        #expect(CORSPolicy.mistake(in: origin) != nil)
    }

    @Test("An IPv6 address that browsers shorten is named in their form")
    func shortened() {
        #expect(CORSPolicy.mistake(in: "http://[0::1]:80")?.contains("[::1]") == true)
    }

    @Test(
        "Valid origins are accepted",
        arguments: ["*", "https://app.example.com", "http://localhost:5173", "http://[::1]:8000"])
    func accepted(origin: String) {
        #expect(CORSPolicy.mistake(in: origin) == nil)
    }

    @Test("`*` does not match forms: they are sent without a preflight, so their origin must be listed")
    func listing() {
        let origin = Array("https://app.example.com".utf8)
        #expect(!CORSPolicy(origins: ["*"], maxAge: 60).isListed(origin))
        #expect(CORSPolicy(origins: ["*", "https://app.example.com"], maxAge: 60).isListed(origin))
    }

    @Test(
        "An origin must match byte for byte",
        arguments: [
            ("https://app.example.com", true), ("https://app.example.com.evil.org", false),
            ("https://evil-app.example.com", false), ("http://app.example.com", false), ("null", false), ("", false),
        ])
    func allows(origin: String, allowed: Bool) {
        let policy = CORSPolicy(origins: ["https://app.example.com"], maxAge: 60)
        #expect(policy.allows(Array(origin.utf8)) == allowed)
        #expect(CORSPolicy(origins: ["*"], maxAge: 60).allows(Array(origin.utf8)) == (origin != "null"))
        #expect(!CORSPolicy(origins: [], maxAge: 60).allows(Array(origin.utf8)))
    }
}
