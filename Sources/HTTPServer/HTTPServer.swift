private import Dispatch
import HTTP1
private import Synchronization
import System

/// An HTTP/1.1 server. Each event loop is a long-running block on its own Dispatch queue.
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
    /// The memory budget for requests and responses.
    package let buffers: BufferBudget
    private let state = Mutex(State())
    private let running = DispatchGroup()

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - tls: used on every TCP address except those of `plainListen`; nil for none.
    ///   - inherited: listening sockets that another process has bound. If not empty, they replace `listen`. The server
    ///     owns the descriptors once it has started.
    ///   - buffers: a budget shared with other servers; nil creates one of `HTTPLimits.bufferedBytes`.
    ///   - makeHandler: called once for each loop, on that loop.
    package init(
        configuration: HTTPServerConfiguration, tls: TLSSource? = nil, inheriting inherited: [Int32] = [],
        buffers: BufferBudget? = nil, makeHandler: @escaping @Sendable (_ loop: Int) -> any HTTPHandler
    ) {
        self.configuration = configuration
        self.inherited = inherited
        self.tls = tls
        self.makeHandler = makeHandler
        self.buffers = buffers ?? BufferBudget(of: configuration)
    }

    /// Binds every address and starts the loops. A server can be started only once.
    package func start() throws(HTTPServerError) {
        try state.withLock { state throws(HTTPServerError) in
            guard !state.isStarted else { throw HTTPServerError(description: "the server was already started") }
            guard !configuration.listen.isEmpty || !inherited.isEmpty, configuration.loops > 0 else {
                throw HTTPServerError(description: "a server needs at least one listen address and one loop")
            }
            let listeners = try bindAll()
            let control = ServerControl(
                listeners: listeners, completionQueues: try completionQueues(orRemove: listeners))
            state.isStarted = true
            state.control = control
            state.addresses = listeners.map(\.address)
            if state.isStopped { control.stop() }
            launch(listeners, control)
        }
    }

    /// The bound addresses with their actual ports: `listen` or the inherited sockets, then `plainListen`, each in the
    /// configured order. Empty before `start()`.
    package var boundAddresses: [ListenAddress] { state.withLock { $0.addresses } }

    /// Whether the address at `index` of `boundAddresses` uses TLS.
    package func speaksTLS(at index: Int) -> Bool { speaksTLS(boundAddresses, at: index) }

    private func speaksTLS(_ addresses: [ListenAddress], at index: Int) -> Bool {
        guard tls != nil, index < addresses.count - configuration.plainListen.count else { return false }
        return addresses[index].isTCP
    }

    /// Stops accepting, responds to the requests in flight and closes, within `HTTPTimeouts.drain`. Returns at once.
    /// May be called from any thread, at any time, and repeatedly.
    package func shutdown() {
        state.withLock { state in
            state.isStopped = true
            state.control?.stop()
        }
    }

    /// Waits until all loops have ended. Returns at once if the server never started.
    package func wait() { running.wait() }

    /// The error that ended the server without `shutdown()`, because a loop could not poll its sockets. Nil while the
    /// server runs and after `shutdown()`.
    package var failure: HTTPServerError? {
        state.withLock { $0.control?.failure }.map { HTTPServerError(starting: $0) }
    }

    /// Whether every running loop has collected its completions since the last call. The call wakes waiting loops, so
    /// when it is called at intervals, false means that a loop is stuck.
    package func areLoopsResponsive() -> Bool {
        guard let control = state.withLock({ $0.control }) else { return true }
        // `map` first: every loop must be woken, also after one that is stuck.
        return control.completionQueues.map { $0.isLoopResponsive() }.allSatisfy { $0 }
    }

    /// The number of requests and connections refused with 503 so far for lack of capacity.
    package var refusals: Int { state.withLock { $0.control }?.refusals ?? 0 }

    /// The number of bytes so far that clients sent although they had their response, such as a redirected body.
    package var discardedBytes: Int { state.withLock { $0.control }?.discardedBytes ?? 0 }

    /// The number of open connections.
    package var connections: Int { state.withLock { $0.control }?.openConnections ?? 0 }

    /// The number of connections accepted so far, without rejected ones, which `refusals` counts.
    package var acceptedConnections: Int { state.withLock { $0.control }?.acceptedConnections ?? 0 }

    private func completionQueues(orRemove listeners: [Listener]) throws(HTTPServerError) -> [CompletionQueue] {
        do throws(SystemError) {
            return try (0..<configuration.loops).map { _ throws(SystemError) in try CompletionQueue() }
        } catch {
            for listener in listeners { listener.removeFile() }
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
            for listener in listeners { listener.removeFile() }
            throw error
        }
        return listeners
    }

    private func launch(_ listeners: [Listener], _ control: ServerControl) {
        // `boundAddresses` would deadlock: the caller holds the lock of `state`.
        let addresses = listeners.map(\.address)
        let (secure, unix) = (addresses.indices.map { speaksTLS(addresses, at: $0) }, addresses.map { !$0.isTCP })
        for (index, completions) in control.completionQueues.enumerated() {
            let (configuration, tls, buffers, makeHandler) = (configuration, tls, buffers, makeHandler)
            DispatchQueue(label: "http.loop.\(index)").async(group: running) {
                let context = LoopContext(
                    handler: makeHandler(index), limits: configuration.limits, timeouts: configuration.timeouts,
                    completions: completions, buffers: buffers, now: .now())
                let transport = LoopTransport(tls: tls, secure: secure, unix: unix)
                Self.run(context, loop: index, transport, control)
            }
        }
    }

    /// Runs an event loop on the current thread until it ends.
    package static func run(
        _ context: LoopContext, loop index: Int, _ transport: LoopTransport, _ control: ServerControl
    ) {
        Socket.blockBrokenPipeSignal()
        do throws(SystemError) {
            var loop = EventLoop(
                queue: try EpollQueue(), context: context, listeners: control.sockets(ofLoop: index),
                transport: transport, control: control)
            loop.run()
        } catch {
            context.completions.close()
            control.loopFailed(error)
            control.loopReleasedListeners()
        }
    }
}
