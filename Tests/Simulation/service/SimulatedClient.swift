import SocketTestSupport

@testable import PresignServiceTestSupport

/// A client with one connection: the requests that it sends, and how far the server is with them.
final class SimulatedClient {
    /// A request, in the order in which it is sent.
    struct Request {
        enum Kind {
            case presign(DecisionRequest, checksExistence: Bool)
            case health
        }

        let id: String
        let kind: Kind
        /// Its bytes in everything that the client sends.
        let bytes: Range<Int>
        /// The epoch in which the server has received its first byte; nil before that.
        var firstEpoch: Int?
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

    func add(_ text: String, id: String, _ kind: Request.Kind) {
        let bytes = Array(text.utf8)
        requests.append(Request(id: id, kind: kind, bytes: total..<total + bytes.count))
        pending += bytes
        total += bytes.count
    }

    /// Sends at most `count` bytes.
    func send(atMost count: Int) {
        let taken = connection.send(pending[...], atMost: count)
        pending.removeFirst(taken)
    }

    /// Notes the epoch of the requests that the server has read since the last call.
    ///
    /// - Parameter isAccepted: whether the server must accept the client now.
    func noteReading(in epoch: Int, isAccepted: Bool) {
        for index in requests.indices where requests[index].bytes.lowerBound < connection.readCount {
            requests[index].firstEpoch = requests[index].firstEpoch ?? epoch
            guard !requests[index].isComplete, requests[index].bytes.upperBound <= connection.readCount else {
                continue
            }
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

    /// Whether everything that the server has written is complete responses.
    var isParsed: Bool { parsed == connection.produced.count }
}
