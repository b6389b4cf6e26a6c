package import System
import TLS

/// A range of an open file that is the content of a response.
package final class HTTPFile: Sendable {
    package let descriptor: Int32
    /// The bytes of the file to send.
    package let range: Range<Int>

    /// Takes ownership of `descriptor` and closes it when the last reference is released. If the file is truncated
    /// below the end of `range`, the connection is closed in the middle of the response.
    package init(owning descriptor: Int32, range: Range<Int>) {
        self.descriptor = descriptor
        self.range = range
    }

    deinit { Socket.close(descriptor) }
}

/// The progress of sending a file to one client.
package final class FileTransfer {
    /// The most bytes that one call sends, so that a fast client does not starve the other connections of a loop.
    static let maxBytesPerCall = 1 << 20

    package let file: HTTPFile
    package private(set) var position: Int

    package init(_ file: HTTPFile) {
        self.file = file
        position = file.range.lowerBound
    }

    package var isComplete: Bool { position == file.range.upperBound }

    /// Reads the next bytes into `buffer` and passes them to `send`, which returns how many it took. Fails if the file
    /// was truncated.
    package func advance(through buffer: inout [UInt8], send: (Span<UInt8>) -> Socket.Outcome) -> Socket.Outcome {
        let count = min(buffer.count, file.range.upperBound - position)
        guard case .bytes(let taken) = Socket.read(file.descriptor, from: position, into: &buffer, count: count),
            taken > 0
        else { return .failed }
        let outcome = send(buffer.span.extracting(0..<taken))
        if case .bytes(let sent) = outcome { position += sent }
        return outcome
    }

    /// Sends the next bytes directly to `socket`, at most `maxBytesPerCall`. Returns `.bytes(0)` if the file was
    /// truncated.
    package func advance(to socket: Int32) -> Socket.Outcome {
        let outcome = Socket.send(
            socket, file: file.descriptor, from: position,
            count: min(Self.maxBytesPerCall, file.range.upperBound - position))
        if case .bytes(let count) = outcome { position += count }
        return outcome
    }
}
