import AccessRules
import CallerAuthentication
import Cryptography
import HTTP1
import PresignService
import Presigning
import Requests
import System
import Text

/// A policy of many rules, with callers and their requests.
struct AuthorizationScene {
    let keyHeaders: HTTPHeaders
    let tokenHeaders: HTTPHeaders
    private let authenticator: CallerAuthenticator
    private let policy: AccessPolicy
    private let caller: Caller
    private let paths: [[UInt8]]
    private let time = SigningTime(secondsSince1970: 1_795_224_153)

    private static let key = "psk_bench_" + String(repeating: "A", count: 43)
    private static let secret = Array("a secret of more than thirty-two bytes".utf8)

    /// - Parameter rules: The number of rules, each for one team's folder with a public part and upload limits.
    init(rules: Int) throws {
        let configuration = try ServiceConfiguration(parsing: Array(Self.yaml(rules).utf8), file: "benchmark.yaml")
        precondition(configuration.policy.rules.count == rules)
        authenticator = try CallerAuthenticator(
            configuration.authentication, keys: IssuerKeyPool(),
            read: { _ in Self.secret })
        policy = configuration.policy
        caller = configuration.authentication.apiKeys[0].caller
        keyHeaders = Self.headers("Bearer " + Self.key)
        tokenHeaders = Self.headers("Bearer " + Self.token)
        // Spread over all rules, in an order that the CPU caches cannot predict.
        paths = (0..<1021).map { index in
            Array("teams/t\(index * 7919 % rules)/alice/photos/2026/11/holiday snap (\(index)).jpg".utf8)
        }
    }

    /// Whether the policy allows the request with this number for the caller of these headers; without headers, for the
    /// holder of the API key.
    func isAllowed(_ index: Int, _ headers: HTTPHeaders?) -> Bool {
        var caller = caller
        if let headers {
            let outcome = authenticator.outcome(for: headers, from: .unix, at: time)
            guard case .authenticated(let found) = outcome else { return false }
            caller = found
        }
        var request = PresignRequest(caller: caller, action: .write, path: paths[index % paths.count])
        request.contentType = "image/jpeg"
        request.contentLength = 51_234
        request.expiresIn = 600
        guard case .allowed = policy.decision(for: request) else { return false }
        return true
    }

    /// As a browser sends it: with other headers around the relevant one.
    private static func headers(_ authorization: String) -> HTTPHeaders {
        HTTPHeaders([
            ("Host", "presign.example.com"), ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)"),
            ("Accept", "*/*"), ("Accept-Encoding", "gzip, deflate, br"), ("Content-Type", "application/json"),
            ("Content-Length", "96"), ("Origin", "https://app.example.com"), ("Authorization", authorization),
        ])
    }

    private static func yaml(_ rules: Int) -> String {
        let list = (0..<rules).map { index in
            "- {path: \"teams/t\(index)/{identity}/**\", allow: {everyone: [get], owner: [read, write]},"
                + " write: {types: [image/*, application/pdf], maxSize: 25m}, expires: {max: 15m}}\n"
        }
        return """
            version: 1
            stores: {media: {bucket: media-uploads-prod, region: eu-west-1}}
            auth:
              apiKeys:
                - {id: bench, identity: alice, hashes: ["\(APIKey.storedHash(of: key.utf8))"]}
              jwt:
                - name: bench
                  issuer: https://issuer.example.com
                  audience: presign
                  algorithms: [HS256]
                  secretFile: secret
            rules:
            \(list.joined())
            deny:
            - path: "**/.*"
            """
    }

    /// An HS256 token (RFC 7515 section 3.1) as long as those of real issuers.
    private static var token: String {
        let claims =
            #"{"iss":"https://issuer.example.com","aud":"presign","sub":"alice","iat":1795220000,"exp":1795230000,"#
            + #""scope":"\#(String(repeating: "read:photos ", count: 30))"}"#
        let text = base64URL(#"{"alg":"HS256","typ":"JWT"}"#.utf8) + "." + base64URL(claims.utf8)
        let code = HMACSHA256(key: secret).authenticationCode(for: Array(text.utf8))
        return text + "." + base64URL(code.bytes)
    }

    private static func base64URL(_ bytes: some Collection<UInt8>) -> String {
        Base64.encode(Array(bytes), .url)
    }
}
