import Foundation

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
