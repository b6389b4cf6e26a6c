import Foundation
import SocketTestSupport
import Testing

extension Loads.Chaos {
    @Suite("Descriptor exhaustion")
    struct DescriptorChaos {
        @Test("Connected clients are served, new ones wait without using the processor, and are served later")
        func exhausted() async throws {
            let limit = 96
            // Each loop uses some descriptors, so on a machine with many cores none would be left.
            try await Loads.serving(
                server: "loops: 2, timeouts: {idle: 30s, body: 2s}",
                wrapper: ["/bin/sh", "-c", #"ulimit -n \#(limit); exec "$0" "$@""#],
                store: ["endpoint": "http://127.0.0.1:1"]
            ) { service in
                let check = #"{"path":"images/cat.jpg","validateObjectExistence":true}"#
                let (inside, slow) = (try RawClient(port: service.port), try RawClient(port: service.port))
                for client in [inside, slow] {
                    client.send(Loads.Chaos.request(service))
                    #expect(try client.response()?.status == 200)
                }
                // The listener's backlog holds them all. Each sends half a request, because the kernel hands over
                // silent connections late.
                var crowd = try (0..<(3 * limit)).map { _ in
                    let client = try RawClient(port: service.port)
                    client.send("POST /presign HTTP/1.1\r\nHost: a\r\n")
                    return client
                }
                try await Loads.Chaos.settles("the service has no descriptors left") {
                    try service.openFiles?.count ?? service.descriptors >= limit
                }
                let late = try RawClient(port: service.port)
                late.send(Loads.Chaos.request(service, closes: true))
                // Waiting for descriptors must not be a busy loop.
                let used = try Loads.Chaos.processorTime(
                    of: service.identifier, untilTimeoutOf: Loads.Chaos.request(service), from: slow)
                #expect(used < 0.5 * Double(Loads.slowness), "\(used) seconds of processor time in two seconds")
                for _ in 0..<20 {
                    inside.send(Loads.Chaos.request(service))
                    #expect(try inside.response()?.status == 200)
                }
                // Operations that need a file fail with a message; the running configuration stays.
                inside.send(Loads.Chaos.request(service, check))
                let unchecked = try #require(try inside.response())
                #expect(unchecked.status == 502 && unchecked.text.contains("libcurl could not be"), "\(unchecked.text)")
                #expect(kill(service.identifier, SIGHUP) == 0)
                try await Loads.Chaos.settles("the reload fails") {
                    try service.hasLogged(#""event":"reload-failed""#)
                }
                inside.send(Loads.Chaos.request(service))
                #expect(try inside.response()?.status == 200)
                crowd.removeAll()
                #expect(try late.response()?.status == 200)
                // The reload is retried automatically.
                try await Loads.Chaos.settles("the reload succeeds") { try service.hasLogged(#""event":"reloaded""#) }
                #expect(try Loads.Chaos.ask(service)?.status == 200)
                let checked = try #require(try Loads.Chaos.ask(service, check))
                #expect(checked.status == 502 && !checked.text.contains("libcurl"), "\(checked.text)")
            }
        }
    }
}
