package import System
import TLS

/// A stretch of an open file as the content of an answer: it goes from the file to the socket without passing through
/// the process.
package final class HTTPFile: Sendable {
    package let descriptor: Int32
    /// Which bytes of the file.
    package let range: Range<Int>

    /// Takes the descriptor over and closes it with the last reference. The file must keep the bytes of `range`: should
    /// they get fewer, the connection is closed within the answer.
    package init(owning descriptor: Int32, range: Range<Int>) {
        self.descriptor = descriptor
        self.range = range
    }

    deinit { Socket.close(descriptor) }
}

/// How far a file has been sent.
package final class FileTransfer {
    /// What one connection may send before the others get their turn.
    static let turn = 1 << 20

    package let file: HTTPFile
    package private(set) var position: Int

    package init(_ file: HTTPFile) {
        self.file = file
        position = file.range.lowerBound
    }

    package var isComplete: Bool { position == file.range.upperBound }

    /// Sends some more by way of memory: `send` gets the next bytes, and says what it took of them.
    package func advance(through buffer: inout [UInt8], send: (Span<UInt8>) -> Socket.Outcome) -> Socket.Outcome {
        let count = min(buffer.count, file.range.upperBound - position)
        guard case .bytes(let taken) = Socket.read(file.descriptor, from: position, into: &buffer, count: count),
            taken > 0
        else { return .failed }
        let outcome = send(buffer.span.extracting(0..<taken))
        if case .bytes(let sent) = outcome { position += sent }
        return outcome
    }

    /// Sends some more, one turn's worth at most; nothing to send is a file that lost its bytes.
    package func advance(to socket: Int32) -> Socket.Outcome {
        let outcome = Socket.send(
            socket, file: file.descriptor, from: position, count: min(Self.turn, file.range.upperBound - position))
        if case .bytes(let count) = outcome { position += count }
        return outcome
    }
}
