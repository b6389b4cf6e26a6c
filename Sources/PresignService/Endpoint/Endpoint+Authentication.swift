import AccessRules
import CallerAuthentication
import HTTP1
import Presigning
import Requests
import System

extension Endpoint {
    /// Returns the client address and the caller that a trusted proxy reports; nil without such headers.
    func forwarding(of request: HTTPRequest, at now: MonotonicTime) throws(Refusal) -> TrustedProxyAuthenticator.Origin?
    {
        guard let proxy = snapshot.authenticator.proxy else { return nil }
        do throws(TrustedProxyAuthenticator.Refusal) {
            guard let headers = try ProxyHeaders(request.headers, proxy.names) else { return nil }
            return try proxy.origin(of: headers, from: request.peer)
        } catch {
            let reason = "\(error.reason)"
            guard error.isFailedAuthentication else { throw Refusal(.proxyHeadersRefused, reason) }
            throw failedAuthentication(.proxyHeadersRefused, reason, from: request.peer, at: now)
        }
    }

    /// The authenticate stage: returns the caller.
    ///
    /// - Parameters:
    ///   - forwarded: what a trusted proxy reports about the request.
    ///   - client: the address that a failed authentication counts against.
    ///   - time: the wall clock, for expiry.
    ///   - now: the monotonic clock, for the rate limit.
    ///   - acceptsBasic: whether the password of Basic authentication may be an API key or a token.
    func caller(
        of request: HTTPRequest, _ forwarded: TrustedProxyAuthenticator.Origin?, from client: PeerAddress,
        at time: SigningTime,
        _ now: MonotonicTime, acceptsBasic: Bool
    ) throws(Refusal) -> Caller {
        if let caller = forwarded?.caller {
            guard !snapshot.authenticator.findsCredentials(in: request) else {
                throw Refusal(.credentialsAmbiguous, "a proxy identity and other credentials")
            }
            return caller
        }
        if acceptsBasic, request.headers.haveBasicCredentials, snapshot.cors.isForeign(request.headers) {
            throw Refusal(.foreignBasic)
        }
        let outcome = snapshot.authenticator.outcome(
            for: request.headers, certificate: request.certificate, from: client, at: time, acceptsBasic: acceptsBasic,
            verifiesTokens: exhaustedFailures(from: client, at: now) == nil)
        let failure: (problem: Problem, reason: String)
        switch outcome {
        case .authenticated(let caller): return caller
        case .guest:
            let unread = snapshot.authenticator.unreadTokens(in: request.headers)
            return unread.isEmpty ? .guest : Caller(guestIgnoring: unread)
        case .missing where request.query.map(APIKey.mayBe(in:)) == true:
            throw Refusal(.keyInQuery, "API key in the query")
        case .missing:
            let unread = snapshot.authenticator.unreadTokens(in: request.headers)
            throw Refusal(.credentialsMissing, (["no credentials"] + unread).joined(separator: "; "))
        case .keysUnavailable(let reason, let seconds):
            throw Refusal(.issuerKeysUnavailable(retryAfter: seconds), reason)
        case .ambiguous: throw Refusal(.credentialsAmbiguous, "two sets of credentials")
        case .rejected(let reason):
            failure = (snapshot.development?.rejection(reason, of: request) ?? .credentialsRejected, reason)
        case .expired: failure = (.tokenExpired, TokenRefusal.expired.reason)
        case .expiredKey: failure = (.keyExpired, "API key past its notAfter")
        case .keyWithoutScheme: failure = (.schemeMissing, "API key in Authorization without Bearer")
        case .keyInBasic: failure = (.keyInBasic, "API key in Authorization with Basic")
        case .unverified: failure = (.credentialsRejected, "token: not verified")
        }
        throw failedAuthentication(failure.problem, failure.reason, from: client, at: now)
    }

    /// Counts a failed authentication against the address and returns the refusal; 429 if the address was already at
    /// its limit.
    private func failedAuthentication(
        _ problem: Problem, _ reason: String, from client: PeerAddress, at now: MonotonicTime
    ) -> Refusal {
        if let exhausted = exhaustedFailures(from: client, at: now) { return rateLimited(exhausted, reason) }
        service.limits.countFailure(from: client, under: snapshot.configuration.limits, at: now)
        return Refusal(problem, reason)
    }
}

extension Endpoint {
    /// The limit stage: counts one request, or one item of a batch, against the caller's rate limit.
    ///
    /// - Parameters:
    ///   - client: the client's address, for guests.
    ///   - now: the monotonic clock.
    ///   - counts: false to check the limit without counting, before more of the request is received or decoded.
    /// - Returns: the caller's rate limit; nil if it has none.
    func limit(
        _ caller: Caller, from client: PeerAddress, at now: MonotonicTime, counts: Bool = true
    ) throws(Refusal) -> RateLimitStatus? {
        let status = service.limits.status(of: caller, from: client, under: snapshot.configuration.limits) {
            counts ? $0.take($1, under: $2, at: now.nanoseconds) : $0.peek($1, under: $2, at: now.nanoseconds)
        }
        if let status, !status.decision.isAllowed { throw rateLimited(status) }
        return status
    }

    /// The limit stage of share links: counts one use, of whichever link, against the client's address.
    ///
    /// - Returns: the rate limit; nil if it is off.
    func limitShareUse(from client: PeerAddress, at now: MonotonicTime) throws(Refusal) -> RateLimitStatus? {
        let status = service.limits.takeShareUse(from: client, under: snapshot.configuration.limits, at: now)
        if let status, !status.decision.isAllowed { throw rateLimited(status) }
        return status
    }

    /// Returns the exhausted limit of failed authentications of an address; nil if the address has attempts left.
    func exhaustedFailures(from client: PeerAddress, at now: MonotonicTime) -> RateLimitStatus? {
        let status = service.limits.peekFailures(from: client, under: snapshot.configuration.limits, at: now)
        return status?.decision.isAllowed == false ? status : nil
    }

    /// Returns a 429 refusal.
    func rateLimited(_ status: RateLimitStatus, _ reason: String? = nil) -> Refusal {
        Refusal(.rateLimited(status, isShown: snapshot.configuration.limits.showsHeaders), reason, rateLimit: status)
    }
}
