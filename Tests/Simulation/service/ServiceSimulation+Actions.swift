import HTTPServer
import HTTPServerTestSupport
import ObjectExistence
import PresignService
import Presigning
import SocketTestSupport
import System

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// What happens in an action.
extension ServiceSimulation {
    private func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random.generator) }

    /// A number whose order of magnitude is random.
    private func size(upTo most: Int) -> Int { max(1, below(1 << below(17)) % most) }

    func act() throws {
        let (choice, place) = (below(100), below(clients.count))
        switch choice {
        case ..<53:
            guard let client = clients[place] else { return try connect(at: place) }
            switch choice {
            case ..<20: client.send(atMost: random.one(of: [.max, size(upTo: 4000)]))
            case ..<42: server.iterate()
            case ..<48: client.connection.receive(atMost: random.one(of: [.max, size(upTo: 4000)]))
            case ..<50: if client.answered == client.requests.count { try addRequest(to: client) }
            case ..<52: try reset(client, at: place)
            default: client.connection.finishSending()
            }
        case ..<55: changeDescriptors()
        case ..<57: try replaceCertificates()
        case ..<62: try completeCheck()
        case ..<68: service.runBatches()
        case ..<73: try reload()
        case ..<83: respondToRefresh()
        case ..<85: sources.refreshNow(&random)
        case ..<95: advance(by: .milliseconds(size(upTo: 60_000)))
        case ..<96: advance(by: .seconds(below(3600)), isPause: random.one(of: [true, false]))
        case ..<98: setWallClock()
        default: try probe()
        }
        noteCredentials()
    }

    private func connect(at place: Int) throws {
        let certificate = random.one(of: SimulatedCertificates.Authority.allCases + [nil])
        let isSecure = random.one(of: [true, false]) && usesTLS
        let connection = try isSecure ? server.connect(presenting: certificate) : server.connect()
        let client = SimulatedClient(connection, readsAtOnce: random.one(of: [true, false]))
        clients[place] = client
        for _ in 0..<(1 + below(3)) { try addRequest(to: client) }
    }

    private func addRequest(to client: SimulatedClient) throws {
        let question = Question(&random, timeline.current.rules, links)
        // Large requests compete for the memory of all connections.
        let padding = random.one(of: [0, 0, 0, below(12_000)])
        let id = "request-\(action)-\(client.requests.count)"
        note("\(id): \(try client.add(question, id: id, padding: padding))")
    }

    /// Notes what the server has read in an iteration.
    func noteReading() {
        timeline.append(clock.time)
        for client in clients.compactMap(\.self) {
            client.noteReading(at: position, isAccepted: server.accepts(client.connection))
            if client.readsAtOnce { client.connection.receive(atMost: .max) }
        }
    }

    /// Descriptors run out, or are free again.
    private func changeDescriptors() {
        server.lacksDescriptors.toggle()
        note(server.lacksDescriptors ? "no descriptor is free" : "descriptors are free")
    }

    private func replaceCertificates() throws {
        guard usesTLS else { return server.iterate() }
        var settings = server.certificates.settings
        switch below(4) {
        case 3: return try expireCertificate()
        case 0: settings.server = 1 - settings.server
        case 1: settings.isRequired = below(2) == 0 && settings.accepted != nil
        default:
            settings.accepted = random.one(of: [nil, [.clients], [.others], [.clients, .others], [.clients, .others]])
            if settings.accepted == nil { settings.isRequired = false }
        }
        note("\(settings)")
        try server.certificates.replace(by: settings)
    }

    /// A client sends a request after its certificate has expired.
    private func expireCertificate() throws {
        for case let client? in clients {
            guard let end = client.connection.certificateEnd else { continue }
            advance(by: .seconds(max(0, end - clock.seconds)))
            try addRequest(to: client)
            return client.send(atMost: .max)
        }
    }

    /// The client closes its connection, and may repeat its requests on another one.
    private func reset(_ client: SimulatedClient, at place: Int) throws {
        note("a client with \(client.answered) of \(client.requests.count) responses resets its connection")
        client.connection.close()
        clients[place] = nil
        guard random.one(of: [true, false]) else { return }
        let next = SimulatedClient(try server.connect(), readsAtOnce: true)
        clients[place] = next
        for request in client.requests[client.answered...] {
            let id = "request-\(action)-\(next.requests.count)"
            note("\(id): \(try next.add(request.question, id: id, padding: 0))")
        }
        next.send(atMost: .max)
    }

    private func completeCheck() throws {
        guard checks.count > 0 else { return }
        let index = below(checks.count)
        let outcomes: [ExistenceOutcome?] = [.status(200), .status(200), .status(404), .status(403), .timedOut, nil]
        let outcome = random.one(of: outcomes)
        note("the storage responds to a check: \(outcome.map { "\($0)" } ?? "never")")
        if let outcome { return checks.take(index)(outcome) }
        // The response is produced at once, so that no other request may get 500.
        _ = checks.take(index)
        server.settle()
        isAbandoning = true
        try inspect()
        isAbandoning = false
    }

    private func reload() throws {
        var epoch = Epoch(&random, after: timeline.current, links)
        note("reload: \(epoch.shares.yaml)")
        service.replaceSnapshot(by: try sources.snapshot(of: try epoch.configuration()))
        epoch.credentials = sources.current
        timeline.append(epoch)
        sources.follow(epoch)
        sources.renew(service)
    }

    private func respondToRefresh() {
        guard let text = sources.respond(&random) else { return }
        note(text)
        sources.renew(service)
    }

    /// Lets time pass, with the timers of the credential sources.
    ///
    /// - Parameter isPause: whether nothing runs in this time.
    func advance(by time: Duration, isPause: Bool = false) {
        // The tokens of the callers are valid for a day.
        guard clock.uptime + TimeSpan(time) < TestClock.startOfUptime + TimeSpan(.seconds(40_000)) else { return }
        // Until a descriptor is free, the loop tries again every 100 ms.
        if time > .seconds(10) { server.lacksDescriptors = false }
        let end = clock.uptime + TimeSpan(time)
        if isPause {
            server.pause(for: time)
            timeline.resumed = clock.uptime
        }
        repeat {
            let next = min(sources.nextEvent ?? end, end)
            server.advance(by: .nanoseconds(max(0, next.nanoseconds - clock.uptime.nanoseconds)))
            timeline.append(clock.time)
            sources.runDue(chance: Double.random(in: 0..<1, using: &random.generator))
            sources.renew(service)
            noteCredentials()
        } while clock.uptime < end && server.violation == nil
    }

    private func setWallClock() {
        let offset = random.one(of: [0, 0, -30_000, -3600, -61, 61, 600, 3600, 30_000])
        clock.setWallClock(ahead: .seconds(offset))
        timeline.append(clock.time)
        note("the wall clock is set \(offset) s ahead")
    }

    /// The service responds to a probe whatever else happens.
    func probe() throws {
        guard !server.lacksDescriptors else { return }
        let client = SimulatedClient(try server.connect(), readsAtOnce: true)
        try client.add(.health, id: "probe", padding: 0)
        client.send(atMost: .max)
        server.settle()
        if client.connection.isWaiting {
            // Descriptors were not free before.
            server.advance(by: .milliseconds(100))
            server.settle()
        }
        if try client.nextResponse()?.status != 200 { fail("/healthz does not respond with 200") }
        client.connection.close()
    }
}
