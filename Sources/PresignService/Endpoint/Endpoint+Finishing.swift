import CallerAuthentication
import HTTP1
import Presigning
import Requests
import System
import Telemetry

extension Endpoint {
    /// The respond and log stages: ends a request with its response, counts it, writes its log and audit lines, and adds
    /// the common headers to the response.
    ///
    /// - Parameter options: what the request's head decides about the response.
    func finish(
        _ record: inout RequestRecord, with response: consuming HTTPResponse, _ options: ResponseOptions
    ) -> HTTPResponse {
        record.end(status: response.status, at: service.uptime())
        if record.isCounted {
            shard.note { counts in
                counts.noteRequest(record.route, status: record.status, nanoseconds: Int(record.duration))
                noteDecision(record, in: &counts)
            }
        }
        if record.isAudited { writeAudit(record) }
        if record.isLogged, let log = service.requestLog, let logBuffer {
            log.append(to: logBuffer) { time, lines in
                if log.isTerminal {
                    record.appendText(at: time, to: &lines)
                } else {
                    record.appendLine(at: time, to: &lines)
                }
            }
        }
        response.common = response.isCacheable ? record.requestID.fieldsOfCacheable : record.requestID.fields
        if snapshot.configuration.limits.showsHeaders, let limit = record.rateLimit {
            limit.append(to: &response.common)
        }
        if !snapshot.cors.isEmpty { snapshot.cors.append(to: &response.common, for: options.origin?[...]) }
        if let refusal = options.crossOriginRefusal { response.common.add("x-presign-cors", refusal.utf8.span) }
        return response
    }

    /// Ends an item of a batch, counts it, and writes its audit line.
    func finish(item record: inout RequestRecord, status: Int) {
        record.end(status: status, at: service.uptime())
        shard.note { noteDecision(record, in: &$0) }
        if record.isAudited { writeAudit(record) }
    }

    /// Writes the audit line of a request that is audited.
    func writeAudit(_ record: RequestRecord) {
        guard let audit = service.audit, let auditBuffer else { return }
        audit.append(to: auditBuffer) { time, lines in
            AuditLine(configuration: audit.configuration, revision: snapshot.configuration.revision)
                .append(record, at: time, to: &lines)
        }
    }

    /// Counts the refusal, or the URL that was issued.
    private func noteDecision(_ record: RequestRecord, in counts: inout ServiceCounts) {
        if let code = record.code {
            counts.refusals[code] += 1
            if let limit = record.rateLimit, !limit.decision.isAllowed { counts.limitsHit[limit.policy] += 1 }
        } else if record.signed != nil, let operation = record.operation, let store = record.store {
            counts.urls[urlCounters[store.index]].operations[operation] += 1
        }
    }
}

/// What the head of a request decides about its response, whatever the outcome.
struct ResponseOptions: Sendable {
    /// The request's `Origin`, for CORS; nil without one, and if no page may read responses.
    var origin: [UInt8]?
    /// Why the page that sent the request may not read the response, or may not send what it announces; nil if it may.
    var crossOriginRefusal: String?
    /// The form of an error. A client that prefers its errors as text gets URLs as text too.
    var errorForm = ProblemForm.json
    /// Whether a 401 asks the client for Basic authentication too.
    var challengesBasic = false
}

extension Endpoint {
    /// Returns the options of the response to a request, and reports an origin that is not allowed.
    func responseOptions(of head: HTTPRequest, _ route: Route) -> ResponseOptions {
        var options = ResponseOptions()
        if route == .lfs || route == .lfsLocks {
            options.errorForm = .lfs
        } else if route == .iceberg || (route == .other && Route.remoteStore(of: head.path) != nil) {
            options.errorForm = .iceberg
        } else if head.headers.prefersText {
            options.errorForm = .text
        }
        if route == .link { options.challengesBasic = challengesBasic(head) }
        guard !offersOnlyMetrics, let origin = head.headers.first(.origin) else { return options }
        if !snapshot.cors.isEmpty { options.origin = Array(origin) }
        if let refusal = OriginRefusal(of: head, under: snapshot.cors) {
            options.crossOriginRefusal = refusal.detail
            service.refusedOrigins.report(
                refusal.origin, "\(refusal.detail). \(refusal.recoverySuggestion)", at: head.received)
        } else if snapshot.cors.allows(origin) {
            options.crossOriginRefusal = snapshot.cors.headerRefusal(of: head)
        }
        return options
    }

    /// Whether the store of a link asks for Basic authentication, which travels only over TLS or within this machine.
    private func challengesBasic(_ head: HTTPRequest) -> Bool {
        guard snapshot.stores.all.contains(where: { $0.configuration.challengePosition != nil }),
            snapshot.configuration.tls != nil || head.peer.isLoopback || head.peer == .unix
        else { return false }
        return snapshot.stores.store((try? fields(ofLink: head))?.store)?.configuration.challengePosition != nil
    }
}
