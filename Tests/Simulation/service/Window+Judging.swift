import Foundation
import Presigning
import SocketTestSupport
import StorageCredentials

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// What is wrong with responses to complete requests; nil if nothing is.
extension Window {
    /// An answer with its URL.
    struct Judged {
        let answer: DecisionAnswer
        let url: IssuedURL?
    }

    func judged(_ answer: DecisionAnswer) throws -> Judged {
        Judged(answer: answer, url: try answer.presigned.map { try IssuedURL($0, in: self) })
    }

    /// Judges a decision of `POST /presign`, or of an item of a batch, in one epoch.
    func complaint(
        about judged: Judged, to request: DecisionRequest, checksExistence: Bool, in epoch: Epoch
    ) -> String? {
        let (answer, naive) = (judged.answer, request.naive)
        let verdict = epoch.verdict(on: naive)
        guard verdict.status == 200 else {
            return answer.agrees(with: verdict, of: naive) ? nil : "the rules refuse it with \(verdict.status)"
        }
        guard let url = judged.url else {
            return complaint(
                aboutRefusal: answer, checksExistence: checksExistence, source: epoch.source(of: naive), epoch)
        }
        if naive.isForm { return complaint(aboutForm: url, naive, verdict, in: epoch) }
        guard answer.agrees(with: verdict, of: naive, within: url.longestLife) else {
            return "its conditions are wrong"
        }
        return url.complaint(in: epoch, naive, life: verdict.expiresIn)
    }

    /// Judges the refusal of a request that the rules allow.
    private func complaint(
        aboutRefusal answer: DecisionAnswer, checksExistence: Bool, source: CredentialSelection, _ epoch: Epoch
    ) -> String? {
        switch answer.code {
        case "credentials-unavailable":
            return lacksCredentials(of: source, in: epoch) ? nil : "the credentials of \(source) were usable"
        case "key-not-found", "storage-denied", "storage-error", "storage-unreachable", "storage-timeout":
            return checksExistence ? nil : "nothing was asked of the storage"
        default: return "the rules allow it"
        }
    }

    /// Judges the response to an upload with a plain link in one epoch.
    ///
    /// - Parameter url: the URL of a redirect.
    func complaint(
        about url: IssuedURL?, _ status: Int, _ code: String?, to upload: LinkUpload, _ request: DecisionRequest,
        in epoch: Epoch
    ) -> String? {
        let verdict = epoch.verdict(on: request.naive)
        let expected = upload.status(for: verdict)
        if let url {
            guard expected == 307 else { return "it should be \(expected)" }
            return url.complaint(in: epoch, request.naive, life: verdict.expiresIn)
        }
        if code == "credentials-unavailable" {
            let isAllowed = verdict.status == 200
            return isAllowed && lacksCredentials(of: epoch.source(of: request.naive), in: epoch)
                ? nil : "the rules refuse it with \(expected)"
        }
        return status == expected ? nil : "it should be \(expected)"
    }

    /// Judges the response to a request to sign for Apache Iceberg in one epoch.
    ///
    /// - Parameter url: nil for a refusal.
    func complaint(about url: IssuedURL?, _ status: Int, to decision: RemoteDecision, in epoch: Epoch) -> String? {
        let expected = decision.status(for: epoch.verdict(on: decision.naive))
        if let url {
            return expected == 200
                ? url.complaint(in: epoch, decision.naive, life: 60) : "it should be \(expected)"
        }
        if status == 503, expected == 200 || expected == 422 {
            let source = epoch.source(of: decision.naive)
            return lacksCredentials(of: source, in: epoch) ? nil : "the credentials of \(source) were usable"
        }
        return status == expected ? nil : "it should be \(expected)"
    }

    private func complaint(
        aboutForm url: IssuedURL, _ request: NaivePolicy.Request, _ verdict: NaivePolicy.Verdict, in epoch: Epoch
    ) -> String? {
        guard url.method == "POST", let fields = url.fields, let sizes = SignedForm(fields).sizes else {
            return "it is not a form"
        }
        guard fields["Content-Type"] == request.type else { return "its type is \(fields["Content-Type"] ?? "any")" }
        if let length = request.length, sizes != length...length { return "its sizes are \(sizes)" }
        var largest = request
        largest.length = sizes.upperBound
        guard epoch.verdict(on: largest).status == 200 else { return "the rules refuse \(sizes.upperBound) bytes" }
        return url.complaint(in: epoch, request, life: verdict.expiresIn)
    }

    /// Judges a listing in one epoch.
    func complaint(aboutListing judged: Judged, to request: DecisionRequest, in epoch: Epoch) -> String? {
        let (status, naive) = (judged.answer.status, request.naive)
        if epoch.rejects(naive.who) { return status == 401 ? nil : "the credentials are refused" }
        guard epoch.rules.mayList(every: naive.path, in: naive.store ?? "", naive.who) else {
            return status == (naive.who == nil ? 401 : 403) ? nil : "the rules refuse the listing"
        }
        guard let url = judged.url else {
            return complaint(
                aboutRefusal: judged.answer, checksExistence: false, source: epoch.source(of: naive), epoch)
        }
        return url.complaint(in: epoch, naive, life: nil)
    }

    /// Judges `GET /permissions` in one epoch.
    func complaint(aboutPermissions response: RawResponse, _ request: DecisionRequest, in epoch: Epoch) throws
        -> String?
    {
        let naive = request.naive
        if epoch.rejects(naive.who) { return response.status == 401 ? nil : "the credentials are refused" }
        guard let possible = epoch.rules.possibleActions(on: naive.path, in: naive.store, naive.who) else {
            return response.status == 400 ? nil : "the path is invalid"
        }
        guard response.status == 200 else { return "the path is valid" }
        let body = try JSONDecoder().decode(PermissionsBody.self, from: Data(response.body))
        return Set(body.actions.keys) == possible ? nil : "only \(possible.sorted()) are possible"
    }

    /// Judges a new share link in one epoch.
    func complaint(about link: ShareLink, to request: DecisionRequest, in epoch: Epoch) -> String? {
        let verdict = epoch.verdict(on: request.naive)
        guard verdict.status == 200 else { return "the rules refuse it with \(verdict.status)" }
        let life = link.created.seconds(until: link.expires)
        guard life <= verdict.shareLifetime ?? 0 else { return "the link lives \(life) s" }
        guard link.keyID == epoch.shares.keys.first else { return "it is sealed with the key \(link.keyID)" }
        return walls.contains(link.created) ? nil : "it is dated \(link.created.rfc3339Text)"
    }
}
