import HTTP1
import System

/// Response bytes that the socket has not taken yet.
struct UnsentOutput {
    /// The output; the bytes before `sent` are already sent.
    private(set) var bytes: [UInt8] = []
    private var sent = 0
    private var charge: BufferCharge?

    var isEmpty: Bool { bytes.isEmpty }

    /// The part of `bytes` that is not sent yet.
    var rest: Range<Int> { sent..<bytes.count }

    /// Keeps more bytes. Returns false if the budget does not allow that.
    mutating func append(_ more: ArraySlice<UInt8>, chargedTo budget: BufferBudget) -> Bool {
        let needed = bytes.count + more.count
        guard budget.update(&charge, to: needed, for: .response) else { return false }
        bytes.reserveCapacity(needed)
        bytes.append(contentsOf: more)
        return true
    }

    /// Records that `count` more bytes were sent.
    mutating func advance(by count: Int) {
        sent += count
        if sent == bytes.count { self = UnsentOutput() }
    }
}

/// The progress of sending a file to one client.
final class FileTransfer {
    /// The most bytes that one call sends, so that a fast client does not starve the other connections of a loop.
    static let maxBytesPerCall = 1 << 20

    let file: HTTPFile
    private(set) var position: Int

    init(_ file: HTTPFile) {
        self.file = file
        position = file.range.lowerBound
    }

    var isComplete: Bool { position == file.range.upperBound }

    /// Reads the next bytes and passes them to `send`. Returns `.bytes(0)` if the file was truncated.
    func advance(send: (Span<UInt8>) -> Socket.Outcome) -> Socket.Outcome {
        do throws(SystemError) {
            let bytes = try file.file.read(at: position, count: min(64 * 1024, file.range.upperBound - position))
            guard !bytes.isEmpty else { return .bytes(0) }
            return advanced(send(bytes.span))
        } catch {
            return .failed(error)
        }
    }

    /// Sends the next bytes directly to `socket`, at most `maxBytesPerCall`. Returns `.bytes(0)` if the file was
    /// truncated.
    func advance(to socket: Socket) -> Socket.Outcome {
        let count = min(Self.maxBytesPerCall, file.range.upperBound - position)
        return advanced(socket.send(file.file, from: position, count: count))
    }

    private func advanced(_ outcome: Socket.Outcome) -> Socket.Outcome {
        if case .bytes(let count) = outcome { position += count }
        return outcome
    }
}
