import Foundation
import SocketTestSupport
import Testing

extension Engine.Chaos {
    @Suite("No descriptors left")
    struct DescriptorChaos {
        @Test("Those who are in are served, those who come wait without cost, and are served when there is room")
        func exhausted() async throws {
            let limit = 96
            // Each loop has descriptors of its own: those of a machine with many cores would leave no room.
            try await Engine.serving(
                server: "loops: 2, timeouts: {idle: 30s}",
                wrapper: ["/bin/sh", "-c", #"ulimit -n \#(limit); exec "$0" "$@""#],
                store: ["endpoint": "http://127.0.0.1:1"]
            ) { service in
                let check = #"{"path":"images/cat.jpg","validateObjectExistence":true}"#
                let inside = try RawClient(port: service.port)
                inside.send(Engine.Chaos.request(service))
                #expect(try inside.response()?.status == 200)
                // The listener's queue takes them all; a connection that says nothing is handed over later, so each
                // says half of something.
                var crowd = try (0..<(3 * limit)).map { _ in
                    let client = try RawClient(port: service.port)
                    client.send("POST /presign HTTP/1.1\r\nHost: a\r\n")
                    return client
                }
                try await Engine.Chaos.settles("its descriptors are used up") { try service.descriptors >= limit }
                let late = try RawClient(port: service.port)
                late.send(Engine.Chaos.request(service, closes: true))
                // Waiting for room must not be a busy loop.
                let start = try service.processorTime
                try await Task.sleep(for: .seconds(2))
                let used = try service.processorTime - start
                #expect(used < 0.5 * Double(Engine.slowness), "\(used) seconds of processor time in two seconds")
                for _ in 0..<20 {
                    inside.send(Engine.Chaos.request(service))
                    #expect(try inside.response()?.status == 200)
                }
                // What needs a file fails, and says so; what is in force stays.
                inside.send(Engine.Chaos.request(service, check))
                let unchecked = try #require(try inside.response())
                #expect(unchecked.status == 502 && unchecked.text.contains("libcurl could not be"), "\(unchecked.text)")
                #expect(kill(service.identifier, SIGHUP) == 0)
                try await Engine.Chaos.settles("the reload fails") {
                    try service.hasLogged(#""event":"reload-failed""#)
                }
                inside.send(Engine.Chaos.request(service))
                #expect(try inside.response()?.status == 200)
                crowd.removeAll()
                #expect(try late.response()?.status == 200)
                // Nobody has to ask again.
                try await Engine.Chaos.settles("the reload succeeds") { try service.hasLogged(#""event":"reloaded""#) }
                #expect(try Engine.Chaos.ask(service)?.status == 200)
                let checked = try #require(try Engine.Chaos.ask(service, check))
                #expect(checked.status == 502 && !checked.text.contains("libcurl"), "\(checked.text)")
            }
        }
    }
}
