import HTTP1
import HTTPServer
package import SocketTestSupport

/// A client of an `InProcessServer`, used like `RawClient`. What it sends is handled before the call returns, unless the
/// response is deferred.
package final class InProcessClient {
    private let server: InProcessServer
    private var connection: Connection
    /// What the connection has not read yet.
    private var unread: [UInt8] = []
    private var hasEnded = false
    private var received: [UInt8] = []

    /// The most bytes that the connection reads at once.
    private static let readSize = 64 * 1024

    init(_ server: InProcessServer, _ connection: Connection) {
        self.server = server
        self.connection = connection
    }

    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) {
        unread += bytes
        read()
    }

    /// Ends the sending direction.
    package func finishSending() {
        hasEnded = true
        read()
    }

    /// The next complete response; nil if the connection ends before its first byte.
    ///
    /// - Parameter omitsBody: whether the request was a HEAD.
    package func response(omitsBody: Bool = false) throws -> RawResponse? {
        while true {
            if let (response, length) = try RawResponse.parse(received, omitsBody: omitsBody) {
                received.removeFirst(length)
                return response
            }
            if isClosed {
                guard received.isEmpty else { throw RawClient.Failure(description: "the response was cut short") }
                return nil
            }
            try awaitResponse()
        }
    }

    /// Whether the server closes without another byte.
    package func isClosedByServer() throws -> Bool {
        while received.isEmpty, !isClosed { try awaitResponse() }
        return received.isEmpty
    }

    private var isClosed: Bool { connection.phase == .lingering || connection.phase == .closed }

    private func awaitResponse() throws {
        guard connection.phase == .deferred else {
            throw RawClient.Failure(description: "the server waits for more input")
        }
        try server.deliver()
    }

    func complete(with response: HTTPResponse?) {
        connection.complete(with: response, &server.context)
        settle()
        read()
    }

    func expire() {
        guard connection.phase != .closed, connection.deadline <= server.context.now else { return }
        connection.expire(isWriting: false, &server.context)
        settle()
        read()
    }

    /// Passes on the input for which the connection is ready.
    private func read() {
        server.readClock()
        while connection.phase == .reading || connection.phase == .lingering {
            guard !unread.isEmpty else {
                if hasEnded { connection.receiveEnd(&server.context) }
                return settle()
            }
            let piece = Array(unread.prefix(Self.readSize))
            unread.removeFirst(piece.count)
            server.request.headers.bytes = piece
            connection.receive(piece.indices, of: &server.request, &server.parser, &server.context)
            settle()
        }
    }

    /// Takes the output, and continues with what had to wait for that.
    private func settle() {
        takeOutput()
        while connection.hasUnparsed, connection.phase == .reading {
            connection.resume(&server.context)
            takeOutput()
        }
        if connection.phase == .finishing { connection.finishedWriting(server.context) }
    }

    private func takeOutput() {
        received += server.context.output
        server.context.output = []
    }
}
