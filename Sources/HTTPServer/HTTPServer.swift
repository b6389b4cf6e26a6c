private import Dispatch
import HTTP1
private import Synchronization
import System

/// An HTTP/1.1 server: one event loop for each core, each a long-running block on its own Dispatch queue.
package final class HTTPServer: Sendable {
    private struct State {
        var isStarted = false
        var isStopped = false
        var control: ServerControl?
        var addresses: [ListenAddress] = []
    }

    private let configuration: HTTPServerConfiguration
    private let inherited: [Int32]
    private let tls: TLSSource?
    private let makeHandler: @Sendable (_ loop: Int) -> any HTTPHandler
    /// What requests and responses in memory are charged to.
    package let buffers: BufferBudget
    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// `makeHandler` is called once for each loop, on that loop.
    ///
    /// - Parameters:
    ///   - inherited: sockets that another process has bound and listens on. If there are any, they are listened on in
    ///     place of `listen`; the server owns the descriptors from its start on.
    ///   - buffers: the budget shared with other servers; absent: one of its own, of `HTTPLimits.bufferedBytes`.
    package convenience init(
        configuration: HTTPServerConfiguration, inheriting inherited: [Int32] = [], buffers: BufferBudget? = nil,
        makeHandler: @escaping @Sendable (_ loop: Int) -> any HTTPHandler
    ) {
        self.init(
            configuration: configuration, tls: nil, inheriting: inherited, buffers: buffers, makeHandler: makeHandler)
    }

    /// With `tls` every TCP address but `plainListen` speaks TLS.
    package init(
        configuration: HTTPServerConfiguration, tls: TLSSource?, inheriting inherited: [Int32] = [],
        buffers: BufferBudget? = nil, makeHandler: @escaping @Sendable (_ loop: Int) -> any HTTPHandler
    ) {
        self.configuration = configuration
        self.inherited = inherited
        self.tls = tls
        self.makeHandler = makeHandler
        self.buffers = buffers ?? BufferBudget(limit: configuration.limits.bufferedBytes)
    }

    /// Binds every address and starts the loops. A server starts once.
    package func start() throws(HTTPServerError) {
        try state.withLock { state throws(HTTPServerError) in
            guard !state.isStarted else { throw HTTPServerError(description: "the server was started before") }
            guard !configuration.listen.isEmpty || !inherited.isEmpty, configuration.loops > 0 else {
                throw HTTPServerError(description: "a server needs at least one listen address and one loop")
            }
            let listeners = try bindAll()
            let control = ServerControl(
                listeners: listeners, completionQueues: try completionQueues(orClose: listeners))
            state.isStarted = true
            state.control = control
            state.addresses = listeners.map(\.address)
            if state.isStopped { control.stop() }
            launch(listeners, control)
        }
    }

    /// The addresses in the configuration's order (`listen`, or the inherited sockets in theirs, then `plainListen`), with
    /// real ports; empty before `start()`.
    package var boundAddresses: [ListenAddress] { state.withLock { $0.addresses } }

    /// Whether TLS is spoken at one of `boundAddresses`.
    package func speaksTLS(at index: Int) -> Bool { speaksTLS(boundAddresses, at: index) }

    private func speaksTLS(_ addresses: [ListenAddress], at index: Int) -> Bool {
        guard tls != nil, index < addresses.count - configuration.plainListen.count else { return false }
        return addresses[index].isTCP
    }

    /// Stops accepting, answers what is in flight and closes, within `HTTPTimeouts.drain`. Returns at once; may be
    /// called from any thread, at any time, again and again.
    package func shutdown() {
        state.withLock { state in
            state.isStopped = true
            state.control?.stop()
        }
    }

    /// Returns when all loops have ended; at once if the server never started.
    package func wait() { running.wait() }

    /// Why the server ended by itself: a loop could not wait for its sockets. Nil while it runs, and after `shutdown()`.
    package var failure: HTTPServerError? {
        state.withLock { $0.control?.failure }.map { HTTPServerError(starting: $0) }
    }

    /// Whether every loop that still runs has come round since this was last asked. A loop that waits comes round for the
    /// question, so that asked at times, false means that one is stuck.
    package func areLoopsResponsive() -> Bool {
        guard let control = state.withLock({ $0.control }) else { return true }
        // Each of them is asked, whatever the others say.
        return control.completionQueues.map { $0.isLoopResponsive() }.allSatisfy { $0 }
    }

    /// Requests and connections refused with 503 so far because there were too many.
    package var refusals: Int { state.withLock { $0.control }?.refusals ?? 0 }

    /// The connections that are open.
    package var connections: Int { state.withLock { $0.control }?.openConnections ?? 0 }

    /// The connections let in so far; those turned away are counted by `refusals`.
    package var acceptedConnections: Int { state.withLock { $0.control }?.acceptedConnections ?? 0 }

    private func completionQueues(orClose listeners: [Listener]) throws(HTTPServerError) -> [CompletionQueue] {
        do throws(SystemError) {
            return try (0..<configuration.loops).map { _ throws(SystemError) in try CompletionQueue() }
        } catch {
            for listener in listeners { listener.close() }
            throw HTTPServerError(starting: error)
        }
    }

    private func bindAll() throws(HTTPServerError) -> [Listener] {
        var listeners: [Listener] = []
        do {
            for descriptor in inherited {
                listeners.append(try Listener(inheriting: descriptor, loops: configuration.loops))
            }
            for address in (inherited.isEmpty ? configuration.listen : []) + configuration.plainListen {
                listeners.append(try Listener(address, loops: configuration.loops, backlog: configuration.backlog))
            }
        } catch {
            for listener in listeners { listener.close() }
            throw error
        }
        return listeners
    }

    private func launch(_ listeners: [Listener], _ control: ServerControl) {
        // Not `boundAddresses`: the state's lock is held.
        let addresses = listeners.map(\.address)
        let secure = addresses.indices.map { speaksTLS(addresses, at: $0) }
        for (index, completions) in control.completionQueues.enumerated() {
            let descriptors = listeners.map { $0.descriptors[index] }
            let (configuration, tls, buffers, makeHandler) = (configuration, tls, buffers, makeHandler)
            DispatchQueue(label: "http.loop.\(index)").async(group: running) {
                let context = LoopContext(
                    handler: makeHandler(index), limits: configuration.limits, timeouts: configuration.timeouts,
                    completions: completions, buffers: buffers, now: .now())
                let transport = LoopTransport(tls: tls, secure: secure)
                Self.run(context, descriptors, transport, control)
            }
        }
    }
}
