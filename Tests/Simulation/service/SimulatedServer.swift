import Glibc
import HTTP1
import HTTPServerTestSupport
import System
import TestSupport

@testable import HTTPServer

/// The shipped event loop on the thread of its clients. The simulation decides when it runs, which ready descriptors it
/// sees, and how much time passes while it waits.
final class SimulatedServer {
    /// Called after each iteration.
    var afterIteration: () -> Void = {}
    /// Whether no descriptor can be opened.
    var lacksDescriptors = false
    let certificates: SimulatedCertificates
    /// The first property that does not hold.
    private(set) var violation: String?
    private var loop: EventLoop<SimulatedQueue>
    private let wait: SimulatedWait
    private let clock: TestClock
    private let paths: [String]
    private var connections: [SimulatedConnection] = []
    private var random: SeededGenerator
    /// The number of open descriptors of the process, without those that the server closes at its end.
    private let descriptors: Int
    /// The generations of the slots whose connections are known.
    private var generations: [UInt32] = []

    /// How late the loop may notice the end of a deadline: it looks for them every 10 ms, in whole milliseconds.
    private static let tolerance = TimeSpan(.milliseconds(11))

    init(
        _ handler: any HTTPHandler, _ configuration: HTTPServerConfiguration, buffers: BufferBudget, clock: TestClock,
        seed: UInt64
    ) throws {
        self.clock = clock
        random = SeededGenerator(seed: seed)
        wait = SimulatedWait(clock, SeededGenerator(seed: ~seed))
        certificates = try SimulatedCertificates(
            SimulatedCertificates.Settings(accepted: [.clients, .others], isRequired: Bool.random(using: &random)))
        paths = ["plain", "secure"].map { "/tmp/presign-simulation-\(getpid())-\(seed).\($0)" }
        let listeners = try paths.map { try Listener(.unix(path: $0, mode: 0o600), loops: 1, backlog: 64) }
        let completions = try CompletionQueue()
        var context = LoopContext(
            handler: handler, limits: configuration.limits, timeouts: configuration.timeouts, completions: completions,
            buffers: buffers, now: clock.uptime)
        context.clock = { clock.uptime }
        context.wallClock = { clock.seconds }
        let control = ServerControl(listeners: listeners, completionQueues: [completions])
        // No descriptors are passed, so polling may be edge-triggered, as for TCP.
        let transport = LoopTransport(
            tls: certificates.source, secure: [false, true], unix: [Bool.random(using: &random), false])
        loop = EventLoop(
            queue: try SimulatedQueue(wait), context: context, listeners: control.sockets(ofLoop: 0),
            transport: transport, control: control)
        descriptors = try SocketCalls.openDescriptors() - listeners.count
        if !loop.watchDescriptors() { fail("the loop cannot watch its descriptors") }
    }

    deinit { loop.stop() }

    private func fail(_ text: String) { violation = violation ?? text }

    /// Closes everything, so that the same seed can run again.
    func abandon() { loop.stop() }

    /// Takes random numbers from this generator from now on.
    func restart(_ generator: SeededGenerator) { (random, wait.random) = (generator, generator) }

    /// Opens a connection without TLS.
    func connect() throws -> SimulatedConnection { try connect(to: paths[0], nil, nil) }

    /// Opens a connection with TLS, whose client has a certificate of the authority or none.
    func connect(presenting client: SimulatedCertificates.Authority?) throws -> SimulatedConnection {
        try connect(to: paths[1], try SimulatedCertificates.session(presenting: client), client)
    }

    private func connect(
        to path: String, _ session: SimulatedSession?, _ client: SimulatedCertificates.Authority?
    ) throws -> SimulatedConnection {
        let connection = try SimulatedConnection(path: path, session, client)
        connections.append(connection)
        return connection
    }

    /// Runs an iteration in which the loop sees some of what is ready, in any order.
    func iterate() {
        let goesOn = lacksDescriptors ? SocketCalls.withoutDescriptors { loop.iterate() } : loop.iterate()
        if !goesOn { fail("the loop has ended") }
        observe()
    }

    /// Runs iterations until nothing is ready.
    func settle() {
        wait.reportsAll = true
        defer { wait.reportsAll = false }
        for _ in 0..<1000 {
            iterate()
            if !wait.wasReady { return }
        }
        fail("the loop does not come to rest")
    }

    /// Lets time pass while the loop waits, for as long as the loop chooses; then it runs.
    func advance(by time: Duration) {
        wait.left = time
        var idle = 0
        while wait.left > .zero, violation == nil {
            iterate()
            idle = wait.wasIdle ? idle + 1 : 0
            if idle > 100 { fail("the loop polls without waiting") }
        }
        wait.left = .zero
    }

    /// Lets time pass in which the loop does not run at all.
    func pause(for time: Duration) { clock.advance(by: time) }

    /// Stops the server, which ends within its drain time.
    func stop() throws {
        loop.control.stop()
        wait.left = .seconds(60)
        wait.reportsAll = true
        var count = 0
        while loop.iterate(), count < 1000 { count += 1 }
        if count == 1000 || wait.left < .seconds(40) { fail("the loop does not end after a stop") }
        loop.stop()
        for connection in connections { connection.close() }
        connections = []
        let left = try SocketCalls.openDescriptors() - descriptors
        if left != 0 { fail("\(left) descriptors are not closed") }
    }
}

// MARK: What holds after each iteration

extension SimulatedServer {
    private func observe() {
        adoptConnections()
        for connection in connections where connection.isOpen { observe(connection) }
        connections.removeAll { !$0.isOpen }
        let now = clock.uptime
        var (open, deferred) = (0, 0)
        for slot in loop.slots where slot.isOpen {
            open += 1
            deferred += slot.connection.phase == .deferred ? 1 : 0
            if slot.connection.deadline + Self.tolerance < now { fail("a deadline passes without effect") }
        }
        if open != loop.open || open != loop.control.openConnections { fail("open connections are miscounted") }
        if deferred != loop.context.load.deferred { fail("deferred requests are miscounted") }
        afterIteration()
    }

    /// Finds the clients of the connections that the loop has accepted.
    private func adoptConnections() {
        for index in loop.slots.indices {
            if index == generations.count { generations.append(0) }
            let generation = loop.slots[index].generation
            guard let socket = loop.slots[index].socket, generations[index] != generation else { continue }
            generations[index] = generation
            SocketCalls.limitSendBuffer(of: socket.descriptor, to: 1)
            let name = SocketCalls.name(of: socket.descriptor, isPeer: true)
            // A client may have closed its connection before it was accepted.
            guard let client = connections.first(where: { $0.name == name }) else { continue }
            client.slot = (index, generation)
            client.acceptedWith = certificates.settings
        }
    }

    private func observe(_ connection: SimulatedConnection) {
        guard let (index, generation) = connection.slot, loop.slots[index].generation == generation,
            let socket = loop.slots[index].socket
        else {
            // A connection that waits to be accepted is open.
            if connection.slot != nil || connection.hasHungUp, let complaint = connection.observeEnd() {
                fail(complaint)
            }
            return
        }
        limitValidity(connection, index)
        connection.wasAlwaysAccepted = connection.wasAlwaysAccepted && accepts(connection)
        let unsent = loop.slots[index].unsent
        if let complaint = connection.observe(
            unread: SocketCalls.unreadCount(of: socket.descriptor), unsent: unsent.bytes[unsent.rest])
        {
            fail(complaint)
        }
        // An end without close_notify makes the session fail.
        guard let failure = connection.session?.failure, !connection.isFinished else { return }
        if connection.wasAlwaysAccepted { fail("a client whose certificate is accepted gets \(failure)") }
    }

    /// Whether the server must serve what arrives on the connection now.
    func accepts(_ connection: SimulatedConnection) -> Bool {
        connection.isAccepted(at: clock.seconds, certificates.settings)
    }

    /// Makes the client's certificate expire some time after the handshake.
    private func limitValidity(_ connection: SimulatedConnection, _ index: Int) {
        guard connection.certificateEnd == nil, loop.slots[index].session?.isEstablished == true,
            let certificate = loop.slots[index].connection.certificate
        else { return }
        let end = clock.seconds + Int64.random(in: 1...20, using: &random)
        connection.certificateEnd = end
        let kinds = PeerCertificate.NameKind.allCases
        loop.slots[index].connection.certificate = PeerCertificate(
            names: Dictionary(uniqueKeysWithValues: kinds.map { ($0, certificate.name($0)) }), validity: 0..<end)
    }
}
