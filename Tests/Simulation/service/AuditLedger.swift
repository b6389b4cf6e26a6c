import HTTPServerTestSupport
import Presigning
import Telemetry

@testable import PresignServiceTestSupport

/// The audit, and the lines that it must have.
struct AuditLedger {
    /// A decision: a request, or an item of a batch.
    private struct Decision: Hashable {
        let request: String
        let item: Int?
    }

    private struct Line {
        let status: Int
        let url: IssuedURL?
        let share: String?
    }

    private let collector: LineCollector
    private var expected: [Decision: Line] = [:]

    init(_ clock: TestClock) { collector = LineCollector { clock.time } }

    func open(_ configuration: AuditConfiguration) throws -> AuditStream? {
        try AuditStream.open(configuration, standardOutput: collector.sink, capacity: 1 << 20) { _ in }
    }

    /// Notes the decision in a response.
    ///
    /// - Parameters:
    ///   - item: the index of an item of a batch.
    ///   - share: the id of a new share link.
    mutating func expect(_ status: Int, of request: String, item: Int? = nil, _ url: IssuedURL?, share: String? = nil) {
        expected[Decision(request: request, item: item)] = Line(status: status, url: url, share: share)
    }

    /// Each decision has one line, which says what the response says. Returns what is wrong.
    func complaint() throws -> String? {
        let entries = try AuditEntry.all(in: collector.lines.joined(separator: "\n").utf8)
        let lines = Dictionary(grouping: entries) { Decision(request: $0.requestId ?? "", item: $0.item) }
        for (decision, lines) in lines where lines.count > 1 && decision.request.hasPrefix("request-") {
            return "the audit has \(lines.count) lines of \(decision)"
        }
        for (decision, line) in expected {
            guard let entry = lines[decision]?.first else { return "the audit has no line of \(decision)" }
            guard entry.status == line.status else {
                return "the audit has the status \(entry.status ?? 0) of \(decision)"
            }
            if let id = line.share, entry.share != id { return "the audit has another link of \(decision)" }
            guard let url = line.url else { continue }
            guard entry.accessKeyId == url.credentials.credentials.accessKeyID, entry.expiresIn == url.expiresIn,
                url.key.isEmpty || url.key.hasSuffix(entry.key ?? "?")
            else { return "the audit has another URL of \(decision)" }
        }
        return nil
    }
}
