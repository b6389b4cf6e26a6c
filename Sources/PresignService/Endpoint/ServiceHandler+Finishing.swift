import HTTP1
import System
import Telemetry
import Text

extension ServiceHandler {
    /// The last step of every answer: adds what all answers have, counts the request, and writes its lines.
    ///
    /// - Parameters:
    ///   - record: its line is the last that is said of it; its id is the answer's from then on.
    ///   - origin: the request's.
    ///   - time: of the thread's last answer, of which the text is used again.
    ///   - isLate: true on any other thread than the one that owns the handler's shard.
    func finish(
        _ response: consuming HTTPResponse, _ record: inout RequestRecord, for origin: ArraySlice<UInt8>?,
        at time: inout TimeText, isLate: Bool = false
    ) -> HTTPResponse {
        let ended = MonotonicTime.now()
        if record.isCounted { count(record, response.status, ended, isLate: isLate) }
        time.update(to: .now())
        writeLines(of: record, response.status, ended, at: time)
        let quota = record.quota
        response.common = record.takeFields()
        quota?.append(to: &response.common)
        if snapshot.knowsOrigins { snapshot.cors.append(to: &response.common, for: origin) }
        return response
    }

    private func count(_ record: borrowing RequestRecord, _ status: Int, _ ended: MonotonicTime, isLate: Bool) {
        let (route, time) = (record.route, Int(ended.nanoseconds - record.started.nanoseconds))
        if isLate {
            service.metrics.count { $0.noteRequest(route, status: status, nanoseconds: time) }
        } else {
            shard.noteRequest(route, status: status, nanoseconds: time)
        }
    }

    private func writeLines(
        of record: borrowing RequestRecord, _ status: Int, _ ended: MonotonicTime, at time: borrowing TimeText
    ) {
        if let auditLane {
            service.audit?.append(record, status: status, at: time.characters.span, ended: ended, to: auditLane)
        }
        guard record.isLogged else { return }
        // A chain lends the lane; to name it would count it.
        let time = time.characters.span
        let isText = service.requestLog?.isTerminal ?? false
        let place = lane?.append { line in
            if isText {
                record.appendText(status: status, at: time, ended: ended, to: &line)
            } else {
                record.appendLine(status: status, at: time, ended: ended, to: &line)
            }
        }
        if let place, place != .more, let lane { service.requestLog?.act(on: place, of: lane) }
    }
}
