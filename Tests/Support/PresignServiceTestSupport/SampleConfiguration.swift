import CallerAuthentication
import PresigningTestSupport
import Requests

/// A configuration in parts, so that a test can change one of them.
struct SampleConfiguration {
    static let environment = [
        "AWS_ACCESS_KEY_ID": TestCredentials.accessKeyID, "AWS_SECRET_ACCESS_KEY": TestCredentials.secret,
    ]

    /// API keys by the id of their entry.
    enum Key {
        static let web = key("web", "W")
        static let other = key("other", "O")
        /// A disabled key.
        static let off = key("off", "F")
        /// A key past its notAfter.
        static let old = key("old", "L")
        /// The second of two keys of one id.
        static let web2 = key("web", "V")
        /// A wrong secret for a configured id.
        static let wrongSecret = key("web", "X")
        static let unknownID = key("nobody", "W")
        static let all = [web, other, off, old, web2, wrongSecret, unknownID]

        private static func key(_ id: String, _ letter: String) -> String {
            "psk_\(id)_" + String(repeating: letter, count: 43)
        }
    }

    var loops = 1
    var limits = "{requestLine: 512, headers: 2k, headerCount: 20, body: 4k}"
    var timeouts = "{header: 10s, body: 10s, drain: 10s}"
    var guest = false
    var cors = #"{origins: ["https://app.example.com"]}"#
    var expires = "{max: 6d}"
    var quotas = "{}"
    /// A member of `auth`; may be empty.
    var proxy = ""
    var links = false
    /// The window of the default store's URLs.
    var window = "0s"
    var page = false

    var yaml: String {
        """
        version: 1
        server:
          listen: "127.0.0.1:0"
          loops: \(loops)
          limits: \(limits)
          timeouts: \(timeouts)
        stores:
          media: {bucket: acme-media, region: eu-west-1, expires: {window: \(window)}, default: true, links: \(links)}
          archive: {bucket: acme.archive, region: us-east-1, prefix: v1/}
          fast: {bucket: acme-fast, region: us-east-1, accelerate: true}
          inside:
            bucket: acme-inside
            region: eu-central-1
            endpoint: "http://10.0.0.7:9000"
            publicEndpoint: "https://files.example.com"
            unsignedHeaders: refused
        expires: \(expires)
        cors: \(cors)
        limits: \(quotas)
        page: \(page)
        auth:
          guest: \(guest)
          \(proxy)
          apiKeys:
            - {id: web, identity: alice, hashes: ["\(hash(Key.web))", "\(hash(Key.web2))"]}
            - {id: other, hashes: ["\(hash(Key.other))"]}
            - {id: off, disabled: true, hashes: ["\(hash(Key.off))"]}
            - {id: old, notAfter: "2020-01-01T00:00:00Z", hashes: ["\(hash(Key.old))"]}
        \(Self.rules)
        """
    }

    private func hash(_ key: String) -> String { APIKey.storedHash(of: key.utf8) }

    private static let rules = """
        rules:
          - path: public/**
            allow:
              everyone: [get]
              authenticated: [get, write, delete, multipart]
          - path: inbox/**
            allow: {caller:web: [get, write, multipart]}
            write: {types: [image/*], maxSize: 1k, checksum: sha256, overwrite: false}
            expires: {default: 5m, max: 15m}
          - path: settings/**
            allow: {authenticated: [get, write, multipart]}
            read: {versions: true}
            write: {accept: [storageClass, tagging], set: {cacheControl: no-store, metadata: {origin: presign}}}
          - path: once/**
            allow: {authenticated: [write, multipart]}
            write: {overwrite: false}
          - path: parts/**
            allow: {authenticated: [multipart]}
            write: {maxSize: 11m}
            multipart: {partSize: 5m}
          - path: private/{identity}/**
            allow: {owner: [get, write]}
          - {path: public/**, store: archive, allow: {authenticated: [get, write]}}
          - {path: public/**, store: fast, allow: {authenticated: [get, write]}}
          - {path: public/**, store: inside, allow: {authenticated: [get, write]}}
        deny:
          - path: "**/.*"
        """
}
