import Foundation
import SocketTestSupport

/// The body of a batch's 200 response: one entry per item.
struct BatchBody: Decodable {
    /// A URL or a problem.
    enum Result: Decodable {
        case url(PresignBody)
        case error(ProblemBody, retryAfter: Int?)

        private enum Key: CodingKey { case error }
        private struct Extra: Decodable { let retryAfter: Int? }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            guard container.contains(.error) else {
                self = .url(try PresignBody(from: decoder))
                return
            }
            let extra = try container.decode(Extra.self, forKey: .error)
            self = .error(try container.decode(ProblemBody.self, forKey: .error), retryAfter: extra.retryAfter)
        }
    }

    let results: [Result]

    /// The status that each item would have as a single request.
    var statuses: [Int] {
        results.map { if case .error(let problem, _) = $0 { problem.status } else { 200 } }
    }

    /// The problems in order, without the URLs.
    var problems: [ProblemBody] {
        results.compactMap { if case .error(let problem, _) = $0 { problem } else { nil } }
    }

    /// The URLs in order, without the problems.
    var responses: [PresignBody] {
        results.compactMap { if case .url(let response) = $0 { response } else { nil } }
    }
}

extension RawResponse {
    func batch() throws -> BatchBody { try JSONDecoder().decode(BatchBody.self, from: Data(body)) }
}
