import Presigning
import PresigningTestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// A URL that the service has issued, with the credentials that signed it.
struct IssuedURL {
    private let body: PresignBody
    private let credentials: Credentials
    private let signedAt: SigningTime

    struct Unsigned: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter issued: all credentials that ever existed, by access key id.
    init(_ body: PresignBody, _ issued: [String: Credentials]) throws {
        let query = queryItems(of: body.url)
        let scope = query["X-Amz-Credential"]?.split(separator: "/").first.map(String.init) ?? ""
        guard let credentials = issued[scope], let date = query["X-Amz-Date"],
            let signedAt = SigningTime(basic: date.utf8)
        else { throw Unsigned(description: "the URL has unknown credentials or no date: \(body.url)") }
        (self.body, self.credentials, self.signedAt) = (body, credentials, signedAt)
    }

    /// What is wrong with the URL, if it was issued in the epoch; nil if nothing is.
    func complaint(epoch: Epoch, _ request: DecisionRequest) -> String? {
        let verdict = epoch.verdict(on: request)
        guard verdict.status == 200 else { return "the rules refuse it with \(verdict.status)" }
        guard epoch.credentials === credentials else { return "other credentials were current" }
        let end = signedAt.advanced(bySeconds: body.expiresIn)
        if let expiration = credentials.expiration {
            guard end <= expiration else { return "it outlives its credentials" }
            guard signedAt.advanced(bySeconds: Epoch.minRemaining) <= expiration else { return "its credentials end" }
        }
        let isLimited = body.limitedBy == "credentials"
        let life = Int64(body.expiresIn), allowed = verdict.expiresIn ?? 0
        guard isLimited ? life < allowed : life == allowed else { return "it lives \(life) s instead of \(allowed) s" }
        guard (body.headers["if-none-match"] == "*") == verdict.ifNoneMatch else { return "its condition is wrong" }
        let verified = try? verification(
            of: body.url, method: body.method, headers: body.headers, at: signedAt, credentials)
        return verified == .valid ? nil : "its signature is not valid"
    }
}
