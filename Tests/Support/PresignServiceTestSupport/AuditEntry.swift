import Foundation

/// One line of the audit; decoding fails unless it is a JSON object.
struct AuditEntry: Decodable {
    let time: String
    let event: String
    let outcome: String?
    let status: Int?
    let code: String?
    let reason: String?
    let unmet: [String]?
    let requestId: String?
    let item: Int?
    let scheme: String?
    let apiKey: String?
    let identity: String?
    let groups: [String]?
    let peer: String?
    let userAgent: String?
    let store: String?
    let action: String?
    let key: String?
    let rule: String?
    let contentType: String?
    let contentLength: Int?
    let requestedExpiresIn: Int?
    let bucket: String?
    let accessKeyId: String?
    let expiresIn: Int?
    let expiresAt: String?
    let limitedBy: String?
    let share: String?
    let shareExpiresAt: String?
    let configRevision: String?
    let durationMicroseconds: Int?
    /// The number of dropped lines, in a line that reports them.
    let count: Int?

    /// All lines so far of an audit to standard output.
    static func all(of service: some AssembledService) throws -> [AuditEntry] {
        try all(in: service.auditLines().joined(separator: "\n").utf8)
    }

    /// The entries of lines that each end with a line feed.
    static func all(in text: some Collection<UInt8>) throws -> [AuditEntry] {
        try text.split(separator: 0x0A).map { try JSONDecoder().decode(AuditEntry.self, from: Data($0)) }
    }
}
