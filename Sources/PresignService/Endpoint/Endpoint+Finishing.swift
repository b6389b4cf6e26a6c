import HTTP1
import RateLimiting
import System
import Telemetry

extension Endpoint {
    /// The respond and log stages: counts the request, writes its log and audit lines, and adds the common headers.
    ///
    /// - Parameter origin: the request's `Origin`, for CORS.
    func finish(_ response: HTTPResponse, _ record: RequestRecord, for origin: [UInt8]?) -> HTTPResponse {
        let ended = service.uptime()
        if record.isCounted {
            let time = Int(ended.nanoseconds - record.started.nanoseconds)
            shard.noteRequest(record.route, status: response.status, nanoseconds: time)
            countDecision(record)
        }
        writeAudit(record, status: response.status, ended: ended)
        writeLog(record, status: response.status, ended: ended)
        var response = response
        response.common = response.isCacheable ? record.requestID.fieldsOfCacheable : record.requestID.fields
        if snapshot.limits.showsHeaders, let limit = record.rateLimit { limit.append(to: &response.common) }
        if !snapshot.cors.origins.isEmpty { snapshot.cors.append(to: &response.common, for: origin?[...]) }
        return response
    }

    /// Counts one item of a batch and writes its audit line.
    func finish(item record: RequestRecord, status: Int) {
        countDecision(record)
        writeAudit(record, status: status, ended: service.uptime())
    }

    /// Writes the audit line, if the record has an audit context.
    func writeAudit(_ record: RequestRecord, status: Int, ended: MonotonicTime) {
        guard let audit = service.audit, let auditBuffer, let context = record.audit else { return }
        audit.append(to: auditBuffer) { time, lines in
            AuditLine(configuration: audit.configuration).append(
                record, context, status: status, at: time, ended: ended, to: &lines)
        }
    }

    private func writeLog(_ record: RequestRecord, status: Int, ended: MonotonicTime) {
        guard record.isLogged, let log = service.requestLog, let logBuffer else { return }
        log.append(to: logBuffer) { time, lines in
            if log.isTerminal {
                record.appendText(status: status, at: time, ended: ended, to: &lines)
            } else {
                record.appendLine(status: status, at: time, ended: ended, to: &lines)
            }
        }
    }

    /// Counts the refusal, or the URL that was issued.
    private func countDecision(_ record: RequestRecord) {
        if let code = record.code {
            shard.noteRefusal(code)
            if let limit = record.rateLimit, !limit.decision.isAllowed { shard.noteLimit(limit.policy) }
        } else if let operation = record.operation, let store = record.store?.configuration.name {
            shard.noteURL(operation, store: store)
        }
    }
}
