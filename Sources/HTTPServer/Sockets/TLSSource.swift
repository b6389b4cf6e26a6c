import HTTP1
private import Synchronization
package import System

/// The TLS settings of new connections, which can be replaced while the server runs.
package final class TLSSource: Sendable {
    private let current: Mutex<ServerTLS>
    /// Incremented when the set of accepted clients changes, so that loops detect a change without taking the lock.
    private let version = Atomic(1)
    let report: @Sendable (_ failure: TLSFailure, _ peer: PeerAddress) -> Void

    /// - Parameters:
    ///   - settings: the settings of the first connections.
    ///   - report: called for each connection that fails because of TLS. It is called on the loops and must not block.
    package init(
        _ settings: ServerTLS, report: @escaping @Sendable (_ failure: TLSFailure, _ peer: PeerAddress) -> Void
    ) {
        current = Mutex(settings)
        self.report = report
    }

    /// Sets the settings of new connections. Open connections keep their encryption.
    ///
    /// - Parameter changesClients: whether the set of accepted clients changes. If so, an open connection is closed
    ///   before its next request unless the new settings accept its certificate, or its lack of one. A resumed session
    ///   keeps only the client's own certificate, so the new authorities must include the intermediate ones.
    package func replace(by new: ServerTLS, changesClients: Bool = true) {
        current.withLock {
            $0 = new
            if changesClients { _ = version.wrappingAdd(1, ordering: .releasing) }
        }
    }

    /// Returns the current settings and the version of their set of accepted clients.
    package func settings() -> (ServerTLS, version: Int) {
        current.withLock { ($0, version.load(ordering: .relaxed)) }
    }

    /// Whether `version` is that of the current set of accepted clients.
    package func isCurrent(_ version: Int) -> Bool { self.version.load(ordering: .acquiring) == version }
}

/// How an event loop communicates with the clients of its listeners.
package struct LoopTransport {
    /// The most handshake steps in one iteration. A step takes up to a millisecond, so a burst of new clients would
    /// otherwise delay the connected ones.
    static let handshakesPerIteration = 8

    let tls: TLSSource?
    /// Whether each listener uses TLS.
    private let secure: [Bool]
    /// Whether each listener is a Unix socket.
    private let unix: [Bool]
    /// Handshake steps that this iteration may still take.
    var handshakes = handshakesPerIteration

    init(tls: TLSSource?, secure: [Bool], unix: [Bool]) { (self.tls, self.secure, self.unix) = (tls, secure, unix) }

    func isSecure(_ listener: Int) -> Bool { secure[listener] }

    /// The interest that reports input on a connection of the listener. Polling is edge-triggered only where one read
    /// takes all input. With TLS, a handshake may leave input for the next iteration; on a Unix socket, a read stops
    /// early where descriptors were passed.
    func readInterest(of listener: Int) -> Interest {
        secure[listener] || unix[listener] ? .read : [.read, .edgeTriggered]
    }
}
