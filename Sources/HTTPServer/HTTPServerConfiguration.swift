package import HTTP1

/// A server's addresses, limits and timeouts. The defaults suit small requests from untrusted clients.
package struct HTTPServerConfiguration: Sendable, Equatable {
    /// The addresses to listen on; at least one, unless the server inherits sockets.
    package var listen: [ListenAddress]
    /// Additional addresses that use plain HTTP even on a server with TLS.
    package var plainListen: [ListenAddress] = []
    /// The number of event loops, each with its own thread; at least 1. One per core is recommended.
    package var loops: Int
    /// Limits on what clients can make the server store or do.
    package var limits = HTTPLimits()
    /// Limits on how long a client may take.
    package var timeouts = HTTPTimeouts()
    /// The maximum number of connections that the kernel queues for each listener.
    package var backlog: Int32 = 4096

    /// Creates a configuration with the default limits and timeouts.
    package init(listen: [ListenAddress], loops: Int = 1) { (self.listen, self.loops) = (listen, loops) }

    /// Returns the configuration of a server beside this one, with one loop and the same timeouts.
    ///
    /// - Parameter connections: the most connections, if this configuration does not allow fewer.
    package func beside(on address: ListenAddress, connections: Int) -> HTTPServerConfiguration {
        var other = HTTPServerConfiguration(listen: [address])
        other.timeouts = timeouts
        other.limits.connections = min(connections, limits.connections)
        return other
    }
}

extension BufferBudget {
    /// Creates the budget that a configuration sets.
    package convenience init(of configuration: HTTPServerConfiguration) {
        self.init(limit: configuration.limits.bufferedBytes)
    }
}
