import HTTPServer
import HTTPServerTestSupport
import ObjectExistence
import Presigning
import SocketTestSupport
import System

@testable import AccessRulesTestSupport
@testable import PresignService
@testable import PresignServiceTestSupport

/// The end of a run: nothing goes wrong any more.
extension ServiceSimulation {
    /// Ends everything. Whatever arrived completely has its response then.
    func finish() throws {
        note("everything that is open ends")
        server.lacksDescriptors = false
        server.advance(by: .milliseconds(100))
        try inspect()
        for _ in 0..<40 where violation == nil {
            for (place, client) in clients.enumerated() {
                client?.connection.receive(atMost: .max)
                client?.send(atMost: .max)
                // The end arrives with the last input.
                if place.isMultiple(of: 2), client?.pending.isEmpty == true { client?.connection.finishSending() }
            }
            service.runBatches()
            while checks.count > 0 { checks.take(0)(.status(200)) }
            server.settle()
            try inspect()
        }
        checkClients()
        try probe()
        try closeConnections()
        try recover()
        try server.stop()
        if let violation = server.violation { fail(violation) }
        if buffers.used > 0 { fail("\(buffers.used) bytes of the budget are not returned") }
        if let complaint = try audit.complaint() { fail(complaint) }
    }

    private func checkClients() {
        let open = clients.compactMap(\.self)
        for client in open where client.answered < client.requests.count && !client.isLast {
            fail("\(client.requests[client.answered].id) has no response")
        }
        if open.contains(where: \.connection.isFinished) { fail("the end of a client's input has no effect") }
    }

    private func closeConnections() throws {
        for _ in 0..<4 { server.advance(by: .seconds(120)) }
        try inspect()
        let open = clients.compactMap(\.self).count
        if open > 0 { fail("\(open) connections do not end") }
        clients = clients.map { _ in nil }
    }

    /// When the endpoints have worked again for two minutes, the service signs again.
    private func recover() throws {
        let end = clock.uptime + TimeSpan(.seconds(130))
        while clock.uptime < end, server.violation == nil {
            sources.work()
            sources.renew(service)
            let pause = max(10_000_000, (sources.nextEvent ?? end).nanoseconds - clock.uptime.nanoseconds)
            server.advance(by: .nanoseconds(pause))
            sources.runDue(chance: 0.5)
        }
        sources.work()
        sources.renew(service)
        noteCredentials()
        let window = timeline.window(since: position)
        for source in timeline.current.sources where window.lacksCredentials(of: source, in: timeline.current) {
            fail("\(source) has no usable credentials, although its endpoint works")
        }
        let requests = (0..<40).map { _ in random.request(near: timeline.current.rules) }
        guard let request = requests.first(where: { timeline.current.verdict(on: $0.naive).status == 200 }) else {
            return
        }
        let client = SimulatedClient(try server.connect(), readsAtOnce: true)
        clients[0] = client
        try client.add(.presign(request, checksExistence: false), id: "request-last", padding: 0)
        client.send(atMost: .max)
        server.settle()
        try inspect()
        if client.answered != 1 { fail("the last request has no response") }
        client.connection.close()
    }
}
