import Foundation

/// One HTTP request.
struct HTTPRequest: Sendable {
    enum Body: Sendable {
        case data(Data)
        case file(URL)
    }

    let method: String
    let url: URL
    /// Names in any case.
    let headers: [String: String]
    var body: Body?
    /// The seconds without progress after which the request fails.
    let timeout: TimeInterval
}

/// Status and headers of a response.
struct HTTPHead: Sendable {
    let status: Int
    private let headers: [String: String]

    init(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns the header with this name, in any case.
    subscript(name: String) -> String? { headers[name.lowercased()] }
}

/// A response whose body is in memory.
struct HTTPResponse: Sendable {
    let head: HTTPHead
    let body: Data

    var status: Int { head.status }
}

/// Receives the body of a successful response while it arrives. The calls come one after the other.
protocol HTTPReceiver: Sendable {
    /// Receives status and headers. Throws if the body is not wanted.
    func begin(_ head: HTTPHead) throws
    func receive(_ piece: Data) throws
}

/// Sends HTTP requests. Tests have one without a network.
protocol HTTPTransport: Sendable {
    /// Sends the request and returns the response with any status.
    ///
    /// - Parameters:
    ///   - onSent: Receives the number of bytes of the body that were sent.
    ///   - receiver: Receives the body of a 2xx response, which is then absent from the result.
    /// - Throws: `URLError` without a complete response, the receiver's error, or `CancellationError`.
    func send(
        _ request: HTTPRequest, onSent: @escaping @Sendable (Int64) -> Void, to receiver: (any HTTPReceiver)?
    ) async throws -> HTTPResponse
}

extension HTTPTransport {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await send(request, onSent: { _ in }, to: nil)
    }
}
