import System

/// A connection to a server. Each wait ends at the deadline.
struct OutgoingConnection {
    /// Connected.
    let socket: Socket
    private let deadline: MonotonicTime

    private init(_ socket: Socket, by deadline: MonotonicTime) { (self.socket, self.deadline) = (socket, deadline) }

    /// Connects to an address.
    ///
    /// - Parameters:
    ///   - share: the deadline for connecting.
    ///   - deadline: the deadline for everything after that.
    static func connected(
        to address: PeerAddress, port: UInt16, within share: MonotonicTime, by deadline: MonotonicTime
    ) throws(FetchFailure) -> OutgoingConnection {
        let socket = try reached { () throws(SystemError) in try Socket.connecting(to: address, port: port) }
        try OutgoingConnection(socket, by: share).wait(toWrite: true)
        try reached { () throws(SystemError) in try socket.finishConnecting() }
        return OutgoingConnection(socket, by: deadline)
    }

    /// Connects to a Unix socket of this machine.
    static func connected(toSocketAt path: String, by deadline: MonotonicTime) throws(FetchFailure) -> Self {
        let seconds = max(1, deadline.milliseconds(from: .now()) / 1000)
        let socket = try reached { () throws(SystemError) in try Socket.connected(toPath: path, timeout: seconds) }
        return OutgoingConnection(socket, by: deadline)
    }

    private static func reached<Result>(
        _ connect: () throws(SystemError) -> Result
    ) throws(FetchFailure) -> Result {
        do throws(SystemError) {
            return try connect()
        } catch {
            throw .unreachable(error.description)
        }
    }

    /// Sends all bytes.
    func send(_ bytes: [UInt8]) throws(FetchFailure) {
        var sent = 0
        while sent < bytes.count {
            switch socket.send(bytes, sent..<bytes.count) {
            case .bytes(let count): sent += count
            case .blocked: try wait(toWrite: true)
            case .failed(let error): throw .broken(error.description)
            }
        }
    }

    /// Waits for bytes and reads them into `buffer`. Returns their number; 0 at the end of input.
    func receive(into buffer: inout [UInt8]) throws(FetchFailure) -> Int {
        while true {
            try wait(toWrite: false)
            switch socket.receive(into: &buffer) {
            case .bytes(let count): return count
            case .blocked: continue
            case .failed(let error): throw .broken(error.description)
            }
        }
    }

    /// Waits until the socket is ready. Checks the deadline even if it is, so a server cannot extend it by sending
    /// single bytes.
    private func wait(toWrite: Bool) throws(FetchFailure) {
        while true {
            let left = deadline.milliseconds(from: .now())
            guard left > 0 else { throw .timedOut }
            do throws(SystemError) {
                if try socket.wait(toWrite: toWrite, milliseconds: left) { return }
            } catch {
                throw .broken(error.description)
            }
        }
    }
}
