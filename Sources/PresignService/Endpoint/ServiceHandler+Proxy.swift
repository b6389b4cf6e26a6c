import AccessRules
import CallerAuthentication
import HTTP1
import System

extension ServiceHandler {
    /// Whom a trusted proxy says the request comes from, and (noted in the record) from where; nil when it does not say.
    func proxiedCaller(of request: HTTPRequest, _ record: inout RequestRecord) throws(Problem) -> Caller? {
        guard let proxy = snapshot.authenticator.proxy else { return nil }
        let peer = request.peer
        let headers: ProxyHeaders
        do throws(ProxyIdentity.Refusal) {
            guard let found = try ProxyHeaders(request.headers, proxy.names) else { return nil }
            headers = found
        } catch {
            throw refused(error, from: peer, &record)
        }
        let origin: ProxyIdentity.Origin
        do throws(ProxyIdentity.Refusal) {
            origin = try proxy.origin(of: headers, from: peer)
        } catch {
            throw refused(error, from: peer, &record)
        }
        record.relayed = origin.client
        guard let caller = origin.caller else { return nil }
        guard !snapshot.authenticator.findsCredentials(in: request) else {
            record.reason = "an identity from the proxy beside other credentials"
            throw .credentialsAmbiguous
        }
        return caller
    }

    private func refused(
        _ refusal: ProxyIdentity.Refusal, from peer: PeerAddress, _ record: inout RequestRecord
    ) -> Problem {
        record.reason = "\(refusal.reason)"
        guard refusal.isFailedAuthentication else { return .proxyHeadersRefused }
        return self.refusal(.proxyHeadersRefused, from: peer, exhaustedFailures(from: peer, record), &record)
    }
}
