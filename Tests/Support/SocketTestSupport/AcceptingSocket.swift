import Glibc
import Synchronization

/// A listening socket that one thread accepts from and closes, and that others only shut down, never after it was closed:
/// its number may be another socket's by then, whose connections would go to the wrong server.
package final class AcceptingSocket: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes over a socket that listens.
    package init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    /// Ends the waiting for connections.
    package func stop() { descriptor.withLock { if let open = $0 { _ = shutdown(open, Int32(SHUT_RDWR)) } } }

    /// For the thread that accepts, when it has ended.
    package func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor { _ = Glibc.close(open) }
            descriptor = nil
        }
    }
}
