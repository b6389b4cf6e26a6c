import PresignService
package import Presigning
import Text

/// Judges responses. Pure functions of what the storage sent.
extension Verdict {
    /// The request must succeed.
    package static func success(of reply: Reply) -> Verdict {
        reply.isSuccess ? .enforced(reply.summary) : .notEnforced("responded \(reply.summary)")
    }

    /// A download must return the first content.
    package static func download(_ replies: [Reply]) -> Verdict {
        replies.only { reply in
            !reply.isSuccess || reply.content == .first
                ? success(of: reply) : notEnforced("responded \(reply.summary) with other content")
        }
    }

    /// A listing must succeed. If the storage takes its URL for that of an object, host or path named the bucket before.
    package static func listing(_ reply: Reply) -> Verdict {
        let isListing = reply.isSuccess && reply.body.contains("<ListBucketResult")
        guard !isListing, reply.isSuccess || (reply.status == 404 && reply.code == "NoSuchKey") else {
            return success(of: reply)
        }
        var verdict = notEnforced("responded \(reply.summary) as for an object: the endpoint already names the bucket")
        verdict.remedy = "remove the bucket from `endpoint` and `publicEndpoint`, or set `addressing: domain`"
        return verdict
    }

    /// Every attempt must be refused, and the same request without the change must succeed.
    ///
    /// - Parameter replies: the unchanged request's, then one for each attempt.
    package static func refusal(after replies: [Reply]) -> Verdict {
        guard let baseline = replies.first else { return .notPossible("no response") }
        guard baseline.isSuccess else {
            return .notPossible("the unchanged request is refused too: \(baseline.summary)")
        }
        return refusal(of: replies.dropFirst())
    }

    /// Every attempt must be refused.
    package static func refusal(of attempts: some Collection<Reply>) -> Verdict {
        if let accepted = attempts.first(where: \.isSuccess) {
            return .notEnforced("accepted with \(accepted.summary)")
        }
        if let failed = attempts.first(where: { !$0.isRefusal }) {
            return .notPossible("responded \(failed.summary)")
        }
        let summaries = attempts.map(\.summary)
        let distinct = summaries.indices.filter { !summaries[..<$0].contains(summaries[$0]) }.map { summaries[$0] }
        return distinct.isEmpty ? .notPossible("no response") : .enforced(distinct.joined(separator: ", "))
    }

    /// Every changed request must be denied if the unchanged one is accepted: with the object, or with 404 without one.
    ///
    /// - Parameter replies: the unchanged request's, then one for each attempt.
    package static func denial(after replies: [Reply]) -> Verdict {
        guard let baseline = replies.first else { return .notPossible("no response") }
        guard baseline.isSuccess || baseline.status == 404 else {
            return .notPossible("the unchanged request is refused too: \(baseline.summary)")
        }
        let attempts = replies.dropFirst()
        // A missing object is reported only to a request whose signature the storage accepted.
        if let accepted = attempts.first(where: { $0.isSuccess || $0.status == 404 || $0.status == 304 }) {
            return .notEnforced("accepted with \(accepted.summary)")
        }
        if let failed = attempts.first(where: { !$0.isDenial }) { return .notPossible("responded \(failed.summary)") }
        return refusal(of: attempts)
    }

    /// An upload with an additional unsigned header must be refused, or the header must have no effect.
    ///
    /// - Parameters:
    ///   - replies: the upload's; then, if it succeeded, those that show whether the header had an effect.
    ///   - effect: what the storage did, such as `copied another object`.
    ///   - hasEffect: what a response shows; nil for nothing.
    package static func noEffect(in replies: [Reply], _ effect: String, _ hasEffect: (Reply) -> Bool?) -> Verdict {
        guard let upload = replies.first else { return .notPossible("no response") }
        guard upload.isSuccess else { return refusal(of: [upload]) }
        let effects = replies.dropFirst().compactMap(hasEffect)
        if effects.contains(true) { return .notEnforced("accepted with \(upload.summary), and it \(effect)") }
        guard effects.isEmpty else { return .enforced("accepted, but without effect") }
        let reads = replies.dropFirst().map(\.summary).joined(separator: ", ")
        return .notPossible("accepted with \(upload.summary); whether it \(effect) is not readable: \(reads)")
    }

    /// An upload with an unsigned `x-amz-acl` must be refused, or must not publish the object.
    ///
    /// - Parameter replies: the upload's; then, if it succeeded, those of downloads without a signature: of another
    ///   object, and of this one.
    package static func privacy(_ replies: [Reply]) -> Verdict {
        guard replies.count == 3, replies[1].isSuccess else {
            return noEffect(in: [Reply](replies.prefix(1) + replies.dropFirst(2)), "published the object") { reply in
                reply.isSuccess ? true : reply.isRefusal ? false : nil
            }
        }
        return .notEnforced("accepted with \(replies[0].summary), and every object is public already")
    }

    /// A second upload must not replace the object that the first one created.
    ///
    /// - Parameter replies: the creation's, those of the attempts to replace the object, then the download's.
    package static func creation(_ replies: [Reply]) -> Verdict {
        guard let first = replies.first, let last = replies.last, replies.count > 2 else {
            return .notPossible(replies.first.map { "the creation is refused: \($0.summary)" } ?? "no response")
        }
        let verdict = refusal(after: [first] + replies.dropFirst().dropLast())
        guard verdict.result == .enforced, last.content == .second else { return verdict }
        return .notEnforced("refused, but the object has the new content")
    }

    /// Removing: the deletion of a missing key, an upload, its deletion, and the download of what is gone.
    package static func removal(_ replies: [Reply]) -> Verdict {
        guard let first = replies.first else { return .notPossible("no response") }
        guard first.isSuccess || first.status == 404 else {
            return .notEnforced("responded \(first.summary), so nothing was written")
        }
        guard replies.count == 4 else {
            return .notPossible("no object to delete: PUT responded \(replies.last?.summary ?? "")")
        }
        guard replies[2].isSuccess else { return .notEnforced("responded \(replies[2].summary)") }
        return replies[3].isSuccess ? .notEnforced("the object is still there") : .enforced(replies[2].summary)
    }

    /// The clock of the storage in the `Date` field.
    ///
    /// S3 refuses requests that are signed more than 15 minutes from its time.
    package static func clock(_ replies: [Reply]) -> Verdict {
        guard let reply = replies.first else { return .notPossible("no response") }
        let now = reply.time.secondsSince1970
        guard let date = reply.headers["date"].map({ Array($0.utf8) }),
            let time = HTTPDate.secondsSince1970(of: date, now: now)
        else { return .notPossible("the response has no Date") }
        let difference = time - now
        let text = "\(abs(difference)) s \(difference < 0 ? "behind" : "ahead")"
        if abs(difference) <= 30 { return .enforced(difference == 0 ? "no difference" : "the storage is \(text)") }
        return .notEnforced("the storage is \(text), so URLs expire too early or too late")
    }

    /// The life of credentials compared with that of URLs.
    ///
    /// - Parameter lifetime: the default lifetime of URLs in seconds.
    package static func session(_ credentials: [Credentials], lifetime: Int, at now: SigningTime) -> Verdict {
        let temporary = credentials.filter { $0.sessionToken != nil || $0.expiration != nil }
        guard !temporary.isEmpty else { return .enforced("long-term credentials") }
        guard let end = temporary.compactMap(\.expiration).min() else {
            return .notPossible("the credentials have a session token but no expiration")
        }
        let left = now.seconds(until: end)
        let text = "the session ends in \(left) s, at \(end)"
        return left >= Int64(lifetime)
            ? .enforced(text) : .notEnforced("\(text), and with it URLs that should live \(lifetime) s")
    }

    /// What `validateObjectExistence` does with the status for a missing object.
    package static func missingObject(_ reply: Reply) -> Verdict {
        guard let problem = Problem.existence(status: reply.status) else {
            return .notEnforced("responded \(reply.summary), so validateObjectExistence finds every object")
        }
        let effect = "validateObjectExistence then responds \(problem.status) \(problem.code.text)"
        return reply.status == 404 ? .enforced(effect) : .notEnforced("responded \(reply.summary); \(effect)")
    }

    /// A right that the credentials do not need: the request must be refused.
    ///
    /// - Parameter isProof: whether only credentials with the right get a response.
    package static func absentRight(_ replies: [Reply], _ isProof: (Reply) -> Bool) -> Verdict {
        if let proof = replies.first(where: isProof) { return .notEnforced("responded \(proof.summary)") }
        // A storage that does not know the request may take it for another one.
        if let other = replies.first(where: \.isSuccess) {
            return .notPossible("responded \(other.summary) with something else")
        }
        return refusal(of: replies)
    }
}
