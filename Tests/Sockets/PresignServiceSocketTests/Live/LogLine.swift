import Foundation

/// One line of the request log.
struct LogLine: Decodable {
    let time: String
    let requestId: String
    let method: String?
    let path: String?
    let peer: String?
    let caller: String?
    let store: String?
    let action: String?
    let key: String?
    let rule: String?
    let reason: String?
    let status: Int
    let durationMicroseconds: Int

    /// Every line so far; a line that is no JSON object fails.
    static func all(of service: LiveService) throws -> [LogLine] {
        try all(in: service.logLines())
    }

    /// The same of some lines.
    static func all(in lines: [String]) throws -> [LogLine] {
        try lines.map { try JSONDecoder().decode(LogLine.self, from: Data($0.utf8)) }
    }
}
