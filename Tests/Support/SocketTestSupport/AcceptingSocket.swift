import Glibc
import Synchronization

/// A listening socket that one thread accepts from and closes. Other threads only shut it down, and never after the
/// close, when its descriptor may already belong to another socket.
package final class AcceptingSocket: Sendable {
    private let descriptor: Mutex<Int32?>

    /// Takes ownership of a listening socket.
    package init(_ descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    /// Wakes the accepting thread and ends it.
    package func stop() { descriptor.withLock { if let open = $0 { _ = shutdown(open, Int32(SHUT_RDWR)) } } }

    /// Closes the socket; called by the accepting thread at its end.
    package func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor { _ = Glibc.close(open) }
            descriptor = nil
        }
    }
}
