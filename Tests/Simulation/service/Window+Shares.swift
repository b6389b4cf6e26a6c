import Presigning
import Requests
import SocketTestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// What is wrong with responses to uses of share links.
extension Window {
    /// Judges a response in one epoch.
    ///
    /// - Parameter url: the URL of a redirect.
    func complaint(about url: IssuedURL?, _ response: RawResponse, to use: ShareUse, in epoch: Epoch) throws -> String?
    {
        let code = response.status == 307 ? nil : try response.problem().code
        let times = url.map { [$0.signedAt] } ?? Array(Set(walls))
        let callers = [use.link.request.caller.who, use.link.request.caller.who?.withoutClaims]
        var last: String?
        for time in times {
            for who in callers {
                last = complaint(about: url, response.status, code, to: use, by: who, at: time, in: epoch)
                if last == nil { return nil }
            }
        }
        return last
    }

    /// What a response must be.
    private enum Expectation: Equatable {
        case redirect
        /// A 422: the redirect cannot add headers that the signed URL needs.
        case missingHeaders
        /// One of these statuses.
        case refusal([Int])
    }

    private func complaint(
        about url: IssuedURL?, _ status: Int, _ code: String?, to use: ShareUse, by who: NaivePolicy.Who?,
        at time: SigningTime, in epoch: Epoch
    ) -> String? {
        let request = use.request(
            who, age: use.link.created.seconds(until: time), remaining: time.seconds(until: use.link.expires))
        let expected = expectation(of: use, by: who, request, at: time, in: epoch)
        let complaint = "it should be \(expected)"
        if case .refusal(let statuses) = expected { return statuses.contains(status) ? nil : complaint }
        if code == "credentials-unavailable" {
            return lacksCredentials(of: epoch.source(of: request), in: epoch) ? nil : complaint
        }
        if expected == .missingHeaders { return status == 422 ? nil : complaint }
        return url.map { $0.complaint(in: epoch, request, life: epoch.verdict(on: request).expiresIn) } ?? complaint
    }

    private func expectation(
        of use: ShareUse, by who: NaivePolicy.Who?, _ request: NaivePolicy.Request, at time: SigningTime,
        in epoch: Epoch
    ) -> Expectation {
        let link = use.link
        guard epoch.shares.keys.contains(link.keyID) else { return .refusal([404]) }
        if time >= link.expires || epoch.shares.revokes(link) || epoch.endsLinks(of: who) { return .refusal([410]) }
        guard (use.method == "PUT") == link.isUpload else { return .refusal([405]) }
        if link.isUpload, !accepts(use) { return .refusal([413, 422]) }
        let verdict = epoch.verdict(on: request)
        switch verdict.status {
        case 200: return needsMoreHeaders(verdict, use) ? .missingHeaders : .redirect
        // Either the upload is not what the rule allows, or the rule allows no links any more.
        case 422: return .refusal([410, 413, 422])
        default: return .refusal([410])
        }
    }

    /// Whether an upload is what the link was made for.
    private func accepts(_ use: ShareUse) -> Bool {
        let declared = use.link.request.naive
        if let type = declared.type, let given = use.headers["content-type"] {
            guard type == given || (type == "image/*" && given.hasPrefix("image/")) else { return false }
        }
        guard let most = declared.length, let given = use.headers["content-length"].flatMap({ Int64($0) }) else {
            return true
        }
        return given <= most
    }

    /// Whether the rule signs a header that the upload does not send; a redirect cannot add it.
    private func needsMoreHeaders(_ verdict: NaivePolicy.Verdict, _ use: ShareUse) -> Bool {
        use.method == "PUT"
            && (verdict.isAdding == true || (verdict.ifNoneMatch == true && use.headers["if-none-match"] != "*"))
    }
}

extension NaivePolicy.Who {
    /// The caller as a link keeps it that was made when no rule named a claim.
    fileprivate var withoutClaims: NaivePolicy.Who {
        var who = self
        who.claims = [:]
        return who
    }
}
