import Foundation

/// The fields of `POST /presign`. Those that are nil are not sent.
struct SignRequest: Codable, Sendable, Equatable {
    var store: String?
    var path: String?
    var prefix: String?
    var method: String
    var expiresIn: Int?
    var useAccelerateEndpoint: Bool?
    var validateObjectExistence: Bool?
    var checksumMode: String?

    var contentType: String?
    var contentLength: Int64?
    var checksumSHA256: String?
    var checksumAlgorithm: String?
    var ifNoneMatch: String?
    var metadata: [String: String]?
    var cacheControl: String?
    var contentDisposition: String?
    var contentEncoding: String?
    var contentLanguage: String?

    var uploadId: String?
    var partNumber: Int?

    var delimiter: String?
    var maxKeys: UInt?
    var continuationToken: String?

    init(method: String, path: String? = nil) {
        self.method = method
        self.path = path
    }
}

/// A signed URL, and when to stop using it.
struct SignedRequest: Sendable {
    let url: URL
    let method: String
    /// The headers that the request must have, except those that URLSession sets itself.
    let headers: [String: String]
    /// Before the URL expires: the request must reach the storage in time. Measured with the monotonic clock, because
    /// the clock of a device may be wrong.
    let deadline: ContinuousClock.Instant

    init(_ response: SignResponse, requestedAt: ContinuousClock.Instant) {
        url = response.url
        method = response.method
        let automatic: Set = ["host", "content-length"]
        headers = response.headers.filter { !automatic.contains($0.key.lowercased()) }
        let lifetime = Duration.seconds(response.expiresIn)
        deadline = requestedAt + lifetime - min(.seconds(5), lifetime / 5)
    }

    /// Whether the storage must not replace an object: as requested, or because of a rule.
    var isConditional: Bool { headers.keys.contains { $0.lowercased() == "if-none-match" } }
}

/// The response of `POST /presign`.
struct SignResponse: Decodable, Sendable {
    let url: URL
    let method: String
    let headers: [String: String]
    let expiresIn: Int
}

/// The body of `POST /presign/batch`.
struct BatchRequest: Codable, Sendable {
    let requests: [SignRequest]
}

/// The response of `POST /presign/batch`: a result for each request, in their order.
struct BatchResponse: Decodable, Sendable {
    enum Item: Decodable, Sendable {
        case signed(SignResponse)
        case refused(ProblemDetails)

        private enum CodingKeys: CodingKey { case error }

        init(from decoder: any Decoder) throws {
            let problem = try decoder.container(keyedBy: CodingKeys.self)
                .decodeIfPresent(ProblemDetails.self, forKey: .error)
            self = if let problem { .refused(problem) } else { .signed(try SignResponse(from: decoder)) }
        }
    }

    let results: [Item]
}
