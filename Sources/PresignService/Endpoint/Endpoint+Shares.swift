import AccessRules
import CallerAuthentication
import DataFormats
import HTTP1
import Presigning
import Requests
import Text

/// Share links: `POST /presign` with `share` makes one, `/s/{token}` redirects to a URL that is signed at every use.
extension Endpoint {
    /// Returns the response that contains a new link to what the rules allow.
    ///
    /// - Parameter record: has the allowed request, with `share`, and its store.
    func shareLink(
        _ allowance: AccessDecision.Allowance, by caller: Caller, _ head: HTTPRequest, asText: Bool,
        at time: SigningTime, recordingIn record: inout RequestRecord
    ) throws(Refusal) -> HTTPResponse {
        guard let shares = snapshot.shares else { throw Refusal(.sharesOff) }
        guard let origin = shares.origin ?? head.origin(isSecure: snapshot.configuration.tls != nil)
        else { throw Refusal(.shareHostUnusable) }
        guard let store = record.store?.configuration.name else { throw .forbidden }
        let request = record.request
        let maximum = allowance.constraints.shareLifetime(for: request.action)
        let lifetime = request.newShare?.lifetime ?? min(maximum, ShareUse.usualLifetime)
        let minter = caller.keepingClaims(snapshot.configuration.policy.claimNames)
        let share = Share(
            of: request, in: store, by: minter, from: time, until: time.advanced(bySeconds: Int(lifetime)))
        guard let link = try? shares.seal(share) else {
            throw Refusal(.randomUnavailable, "no random bytes, or no memory")
        }
        guard link.token.utf8.count <= ShareToken.maximumLength else { throw Refusal(.shareTooLong) }
        record.share = .init(id: link.id, expiresAt: share.expires)
        let url = origin + Route.shareStart.description + link.token
        if asText { return .text(url + "\n") }
        return .json {
            $0.member("url", url)
            $0.member("id", link.id)
            $0.member("method", request.operation == .putObject ? "PUT" : "GET")
            $0.member("expiresIn", lifetime)
            $0.member("expiresAt", share.expires.rfc3339Text)
        }
    }

    /// Opens the link of a request and returns the caller who made it.
    ///
    /// - Parameter record: receives the fields to decide now.
    func openShare(
        _ request: HTTPRequest, at time: SigningTime, recordingIn record: inout RequestRecord
    ) throws(Refusal) -> Caller {
        guard let shares = snapshot.shares else { throw Refusal(.notFound) }
        let link = try shares.open(Route.shareToken(of: request))
        record.open(link)
        let minter = try shares.minter(of: link, at: time)
        guard (request.method == .put) == link.share.isUpload else {
            throw Refusal(.methodNotAllowed(link.share.allow))
        }
        do throws(Problem) { record.request = try PresignRequest(link.share, request, at: time) } catch {
            throw Refusal(error)
        }
        return minter
    }
}

extension RequestRecord {
    /// Adds an opened link. Its id stands in the path instead of the token, which is a credential.
    fileprivate mutating func open(_ link: ShareLinks.Opened) {
        share = .init(id: link.id, expiresAt: link.share.expires)
        path = Array(Route.shareStart.description.utf8) + link.id
        caller = link.share.minter
    }
}

extension Share {
    fileprivate init(
        of request: PresignRequest, in store: String, by minter: Caller, from time: SigningTime, until end: SigningTime
    ) {
        self.init(of: request.path, in: store, by: minter, from: time, until: end)
        guard request.operation == .putObject else { return }
        isUpload = true
        (types, maximumSize) = (request.newShare?.types, request.newShare?.maximumSize)
        keepsExisting = request.ifNoneMatch != nil
    }
}

extension PresignRequest {
    /// The request of one use of a link: the fields that it holds, and for an upload what the request declares about itself.
    ///
    /// - Throws: `Problem` 422 if the upload is not what the link accepts, 411 if its length is unknown.
    fileprivate init(
        _ share: borrowing Share, _ request: borrowing HTTPRequest, at time: SigningTime
    ) throws(Problem) {
        self.init()
        path = share.path
        hasPath = true
        store = share.store
        // The client learns from the storage whether the object exists.
        validateObjectExistence = false
        self.share = .use(age: share.created.seconds(until: time), remaining: time.seconds(until: share.expires))
        method = request.method == .head ? .head : .get
        guard share.isUpload else { return }
        try takeUpload(request)
        if share.keepsExisting { ifNoneMatch = "*" }
        var unmet: [UnmetConstraint] = []
        if let types = share.types, !types.contains(contentType ?? "") {
            unmet.append(.contentType(contentType, allowed: [types]))
        }
        if let size = share.maximumSize, !(0...size ~= contentLength ?? -1) {
            unmet.append(.contentLength(contentLength, maximum: size))
        }
        if !unmet.isEmpty { throw .constraint(unmet.map { FieldFailure($0) }) }
    }
}

extension Problem {
    /// 404: a token that no key of the service has sealed.
    static let shareInvalid = Problem(
        404, .shareInvalid, "Not a share link", "This is not a share link of this service, or its key was removed",
        recovery: "Copy the whole link, or ask for a new one.")

    /// 410: a link that was valid. It does not say why, because anyone can have the link.
    static let shareEnded = Problem(
        410, .shareEnded, "The share link has ended", "The link has expired, or its maker or the operator has ended it",
        recovery: "Ask the maker of the link for a new one.")

    fileprivate static let sharesOff = validation(
        [FieldFailure("share", "this service makes no share links")],
        recovery: "Add a key to `shares.keys` in the configuration, or omit share for a URL of the storage.")

    fileprivate static let shareHostUnusable = validation(
        [FieldFailure("share", "needs `shares.url`, because the request's Host is missing or is not a host name")],
        recovery: "Set `shares.url` in the configuration, such as https://files.example.com, or send a valid Host.")

    static let shareInBatch = validation(
        [FieldFailure("share", "is not allowed in a batch")], recovery: "Send POST /presign once for each link.")

    fileprivate static let shareTooLong = validation(
        [FieldFailure("share", "the link would be too long, because of the path or your groups and claims")],
        recovery: "Use a shorter path, or an API key.")

    fileprivate static let randomUnavailable = Problem(
        500, .serverError, "The request failed", "The service could not make a link", recovery: "Try again.")
}
