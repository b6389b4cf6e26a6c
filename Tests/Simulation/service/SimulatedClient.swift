import SocketTestSupport

@testable import PresignServiceTestSupport

/// A client with one connection: the requests that it sends, and how far the server is with them.
final class SimulatedClient {
    /// A request, in the order in which it is sent.
    struct Request {
        let id: String
        let question: Question
        /// Its bytes in everything that the client sends.
        let bytes: Range<Int>
        /// The end of the bytes that decide the response: of the head, if the body is for the storage.
        let decisive: Int
        /// When the server has received its first byte; nil before that.
        var start: Timeline.Position?
        /// Whether the server had to accept the client when the request was complete.
        var isAccepted = true
        fileprivate var isComplete = false
    }

    let connection: SimulatedConnection
    var requests: [Request] = []
    /// What is not sent yet.
    var pending: [UInt8] = []
    /// The number of responses.
    var answered = 0
    /// Whether the last response ends the connection.
    var isLast = false
    /// Whether it reads what arrives at once.
    let readsAtOnce: Bool
    private var parsed = 0
    private var total = 0

    init(_ connection: SimulatedConnection, readsAtOnce: Bool) {
        (self.connection, self.readsAtOnce) = (connection, readsAtOnce)
    }

    /// Returns the start line and the body of the request.
    @discardableResult func add(_ question: Question, id: String, padding: Int) throws -> String {
        let text = try question.text(id: id, padding: padding)
        let bytes = Array(text.utf8)
        var decisive = bytes.count
        let upload: [String: String]? =
            switch question {
            case .useShare(let use): use.headers
            case .upload(let upload, _): upload.headers
            default: nil
            }
        decisive -= upload?["content-length"].flatMap { Int($0) } ?? 0
        requests.append(
            Request(id: id, question: question, bytes: total..<total + bytes.count, decisive: total + decisive))
        pending += bytes
        total += bytes.count
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        return "\(lines[0]) \(lines[lines.count - 1].prefix { $0 != " " })"
    }

    /// Sends at most `count` bytes.
    func send(atMost count: Int) {
        let taken = connection.send(pending[...], atMost: count)
        pending.removeFirst(taken)
    }

    /// Notes when the requests begin that the server has read since the last call.
    ///
    /// - Parameter isAccepted: whether the server must accept the client now.
    func noteReading(at position: Timeline.Position, isAccepted: Bool) {
        for index in requests.indices where requests[index].bytes.lowerBound < connection.readCount {
            requests[index].start = requests[index].start ?? position
            guard !requests[index].isComplete, requests[index].decisive <= connection.readCount else { continue }
            requests[index].isComplete = true
            requests[index].isAccepted = isAccepted
        }
    }

    /// The next response that the server has written; nil if it is incomplete.
    func nextResponse() throws -> RawResponse? {
        let rest = Array(connection.produced[parsed...])
        guard !rest.isEmpty, let (response, length) = try RawResponse.parse(rest, omitsBody: false) else { return nil }
        parsed += length
        return response
    }
}
