import Foundation
import SocketTestSupport

/// The body of a 200 response.
struct PresignBody: Decodable {
    let url: String
    let method: String
    let headers: [String: String]
    let automaticHeaders: [String]?
    let key: String
    let bucket: String
    let region: String
    let expiresIn: Int
    let expiresAt: String
    let limitedBy: String?
    /// The fields of a form; nil for a URL.
    let fields: [String: String]?
}

/// The body of a 200 response to `GET /permissions` with a path.
struct PermissionsBody: Decodable {
    struct Limits: Decodable {}

    let actions: [String: Limits]
}

/// The body of a response of `GET /permissions` without a path.
struct RootsBody: Decodable {
    let roots: [String]
    let rootsTruncated: Bool?
}

/// The body of an error response.
struct ProblemBody: Decodable {
    struct Member: Decodable {
        let pointer: String
        let detail: String
    }

    let type: String
    let title: String
    let status: Int
    let detail: String
    let message: String
    let code: String
    let requestId: String
    let recoverySuggestion: String?
    let errors: [Member]?

    var pointers: [String] { (errors ?? []).map(\.pointer) }
}

extension RawResponse {
    func presigned() throws -> PresignBody { try JSONDecoder().decode(PresignBody.self, from: Data(body)) }

    func problem() throws -> ProblemBody { try JSONDecoder().decode(ProblemBody.self, from: Data(body)) }
}
