import HTTP1
import Testing

@Suite("CORS policy")
struct CORSPolicyTests {
    @Test(
        "Invalid origins are rejected",
        arguments: [
            "null", "app.example.com", "https://app.example.com/", "https://App.example.com", "https://", "",
            "https://app.example.com:443", "http://app.example.com:80", "https://a b",
            "http://[::1]:80000", "https://app.example.com:", "https://u@app.example.com", "https://app.example.com?x",
            "HTTPS://app.example.com", "http://[0:0:0:0:0:0:0:1]:8000", "http://[::ffff:127.0.0.1]",
            "http://[fe80::1%25lo]",
            "http:/app.example.com", "file://", "file://localhost", "file:///a.html",
            "data:text/html,x", "blob:https://app.example.com/1", "about:blank", "javascript://localhost",
            "Capacitor://localhost", "capacitor://", "capacitor:localhost", "capacitor://localhost/",
            "capacitor://localhost?x", "capacitor://u@localhost", "capacitor://a b", "capacitor://a%20b", "1app://a",
            "+app://a", "://a", "app ://a", "capacitor://localhost:x", "capacitor://localhost:99999", "app://[::g]",
        ])
    func mistakes(origin: String) {
        #expect(CORSPolicy.mistake(in: origin) != nil)
        // `*` covers every origin but those that pages of different authors share.
        let isShared = ["null", "file:", "data:", "blob:", "about:", "javascript:"].contains(where: origin.hasPrefix)
        let policy = CORSPolicy(origins: ["*"], maxAge: 60)
        #expect(policy.allows(Array(origin.utf8)) == !isShared)
    }

    @Test(
        "The message for a pattern names what to do instead",
        arguments: ["https://*.example.com", "https://*", "*://app.example.com", "*.example.com", "tauri://*", "**"])
    func patterns(origin: String) {
        let text = "patterns are not supported; list each origin, or use `*`: tokens travel in headers"
        #expect(CORSPolicy.mistake(in: origin) == text)
    }

    @Test("An IPv6 address that browsers shorten is named in their form")
    func shortened() {
        #expect(CORSPolicy.mistake(in: "http://[0::1]:80")?.contains("[::1]") == true)
    }

    @Test(
        "Valid origins are accepted",
        arguments: [
            "*", "https://app.example.com", "http://localhost:5173", "http://[::1]:8000", "capacitor://localhost",
            "ionic://localhost", "tauri://localhost", "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
            "moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc", "app://obsidian.md",
            "wails://wails.localhost:34115",
            "safari-web-extension://E4B5D0B4-2F0A-4F0E-9A53-1B2C3D4E5F60", "com.example.app://localhost",
        ])
    func accepted(origin: String) {
        #expect(CORSPolicy.mistake(in: origin) == nil)
        let policy = CORSPolicy(origins: [origin], maxAge: 60)
        #expect(policy.allows(Array(origin.utf8)) && policy.isListed(Array(origin.utf8)))
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
            ("tauri://app.example.com", false),
        ])
    func allows(origin: String, allowed: Bool) {
        let policy = CORSPolicy(origins: ["https://app.example.com"], maxAge: 60)
        #expect(policy.allows(Array(origin.utf8)) == allowed)
        #expect(CORSPolicy(origins: ["*"], maxAge: 60).allows(Array(origin.utf8)) == (origin != "null"))
        #expect(!CORSPolicy(origins: [], maxAge: 60).allows(Array(origin.utf8)))
    }
}
