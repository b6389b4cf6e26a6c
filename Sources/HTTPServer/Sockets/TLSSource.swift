import HTTP1
private import Synchronization
package import System
package import TLS

/// The TLS settings of new connections, which can be replaced while the server runs.
package final class TLSSource: Sendable {
    private let current: Mutex<ServerTLS>
    /// Incremented when the set of accepted clients changes, so that loops detect a change without taking the lock.
    private let version = Atomic(1)
    private let onFailure: @Sendable (_ failure: TLSFailure, _ peer: PeerAddress) -> Void

    /// - Parameters:
    ///   - settings: the settings of the first connections.
    ///   - report: called for each connection that fails because of TLS. It is called on the loops and must not block.
    package init(
        _ settings: ServerTLS, report: @escaping @Sendable (_ failure: TLSFailure, _ peer: PeerAddress) -> Void
    ) {
        current = Mutex(settings)
        onFailure = report
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

    package func report(_ failure: TLSFailure, from peer: PeerAddress) { onFailure(failure, peer) }
}

/// The TLS state of one event loop.
package struct LoopTransport {
    /// The most handshake steps in one iteration. A step takes up to a millisecond, so a burst of new clients would
    /// otherwise delay the connected ones.
    static let handshakesPerIteration = 8

    let tls: TLSSource?
    /// Whether each listener uses TLS.
    let secure: [Bool]
    /// Handshake steps that this iteration may still take.
    var handshakes = handshakesPerIteration

    init(tls: TLSSource?, secure: [Bool]) { (self.tls, self.secure) = (tls, secure) }

    func isSecure(_ listener: Int) -> Bool { listener < secure.count && secure[listener] }
}
