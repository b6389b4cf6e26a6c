package import HTTP1

/// How a server listens, and what it puts up with. The defaults suit small requests from anyone.
package struct HTTPServerConfiguration: Sendable, Equatable {
    /// At least one.
    package var listen: [ListenAddress]
    /// More of them, where a server with TLS speaks HTTP without it.
    package var plainListen: [ListenAddress] = []
    /// Event loops, each with a thread: as many as cores. At least 1.
    package var loops: Int
    /// What a client may make the server hold.
    package var limits: HTTPLimits
    /// How long a client may take.
    package var timeouts: HTTPTimeouts
    /// Connections the kernel holds ready while the loops are busy, for each listener.
    package var backlog: Int32

    /// A configuration with the given addresses and otherwise the defaults.
    package init(
        listen: [ListenAddress], loops: Int = 1, limits: HTTPLimits = HTTPLimits(),
        timeouts: HTTPTimeouts = HTTPTimeouts(), backlog: Int32 = 4096
    ) {
        self.listen = listen
        self.loops = loops
        self.limits = limits
        self.timeouts = timeouts
        self.backlog = backlog
    }
}
