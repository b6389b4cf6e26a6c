import HTTP1
private import Synchronization
package import System
package import TLS

/// What new connections begin with; it may be replaced while they come.
package final class TLSSource: Sendable {
    private let current: Mutex<ServerTLS>
    /// Counts the changes of who is accepted, so that one is seen without a lock.
    private let version = Atomic(1)
    private let report: @Sendable (_ failure: TLSFailure, _ peer: PeerAddress) -> Void

    /// - Parameters:
    ///   - settings: of the first connections.
    ///   - report: told of each connection that failed for a reason of TLS; called on the loops, so it must be quick.
    package init(
        _ settings: ServerTLS, report: @escaping @Sendable (_ failure: TLSFailure, _ peer: PeerAddress) -> Void
    ) {
        current = Mutex(settings)
        self.report = report
    }

    /// Sets what new connections begin with. Open connections keep their encryption.
    ///
    /// - Parameter changesClients: whether other clients are accepted than before. If so, an open connection is closed
    ///   before its next request unless the new settings accept its certificate, or its lack of one. A resumed session
    ///   has no intermediate certificates, so these must be among the authorities.
    package func replace(by new: ServerTLS, changesClients: Bool = true) {
        current.withLock {
            $0 = new
            if changesClients { _ = version.wrappingAdd(1, ordering: .releasing) }
        }
    }

    /// The settings of now, and the number of those who are accepted.
    package func settings() -> (ServerTLS, version: Int) {
        current.withLock { ($0, version.load(ordering: .relaxed)) }
    }

    package func isCurrent(_ version: Int) -> Bool { self.version.load(ordering: .acquiring) == version }

    package func tell(of failure: TLSFailure, from peer: PeerAddress) { report(failure, peer) }
}

/// What a loop needs to know of TLS.
package struct LoopTransport {
    /// A handshake takes up to a millisecond, and one client after another may begin one: those that are connected are
    /// served in between.
    static let handshakesPerIteration = 8

    let tls: TLSSource?
    /// Which listeners speak TLS.
    let secure: [Bool]
    /// Steps of handshakes that may still be taken in this iteration.
    var handshakes = handshakesPerIteration

    init(tls: TLSSource?, secure: [Bool]) { (self.tls, self.secure) = (tls, secure) }

    func isSecure(_ listener: Int) -> Bool { listener < secure.count && secure[listener] }
}
