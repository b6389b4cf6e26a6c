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

    /// All lines so far; decoding fails unless each is a JSON object.
    static func all(of service: some AssembledService) throws -> [LogLine] {
        try all(in: service.logLines())
    }

    /// The decoded lines.
    static func all(in lines: [String]) throws -> [LogLine] {
        try lines.map { try JSONDecoder().decode(LogLine.self, from: Data($0.utf8)) }
    }
}
