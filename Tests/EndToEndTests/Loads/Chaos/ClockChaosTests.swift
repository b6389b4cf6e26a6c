import Foundation
import SocketTestSupport
import Testing

extension Loads.Chaos {
    /// libfaketime changes the wall clock of the service and leaves the monotonic clock unchanged.
    @Suite(
        "Clock steps",
        .enabled(if: Loads.slowness == 1, "a sanitizer's library must come first, and so must libfaketime"),
        .enabled(if: FakeClock.library != nil, "needs libfaketime; Tests/run.sh installs it")
    )
    struct ClockChaos {
        @Test("URLs have the new wall clock time immediately, in both directions; timeouts do not change")
        func steps() async throws {
            try await withTemporaryDirectory { folder in
                let clock = try FakeClock(in: folder)
                try await Loads.serving(
                    server: "timeouts: {header: 2s, idle: 4s}",
                    sections: "limits: {perCaller: {rate: 50/s, burst: 40}}\n", wrapper: FakeClock.wrapper,
                    environment: clock.environment
                ) { service in
                    let standing = try RawClient(port: service.port)
                    for minutes in [0, -7, 9, -1000, 0] {
                        try clock.step(to: minutes)
                        // The coarse clock of dates is read once per batch of events.
                        try Self.expect(minutes, Loads.Chaos.ask(service), service)
                        standing.send(Loads.Chaos.request(service))
                        try Self.expect(minutes, standing.response(), service)
                    }
                    try Self.expectTimeOut(across: clock, service)
                    try await Self.expectLimit(across: clock, service)
                }
            }
        }

        private static func expect(_ minutes: Int, _ response: RawResponse?, _ service: PresignProcess) throws {
            struct Grant: Decodable { let url: String, expiresAt: String, expiresIn: Double }
            let response = try #require(response)
            try #require(response.status == 200, "\(response.text)")
            let grant = try JSONDecoder().decode(Grant.self, from: Data(response.body))
            let text = try #require(grant.url.firstMatch(of: /X-Amz-Date=(\w+)&/)).1
            let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
            let signed = try Date(String(text), strategy: style)
            let expected = Date.now.addingTimeInterval(Double(60 * minutes))
            #expect(abs(signed.timeIntervalSince(expected)) < 5, "\(minutes) minutes: \(text)")
            let end = try Date(grant.expiresAt, strategy: .iso8601)
            #expect(end == signed.addingTimeInterval(grant.expiresIn))
        }

        /// Expects the configured header timeout, whatever the wall clock does in the meantime.
        private static func expectTimeOut(across clock: FakeClock, _ service: PresignProcess) throws {
            for minutes in [60, -60] {
                let slow = try RawClient(port: service.port)
                let start = ContinuousClock.now
                slow.send("POST /presign HTTP/1.1\r\n")
                // It was certainly read once later connections got their responses.
                for _ in 0..<8 { #expect(try Loads.Chaos.ask(service)?.status == 200) }
                try clock.step(to: minutes)
                #expect(try Loads.Chaos.ask(service)?.status == 200)
                #expect(try slow.response()?.status == 408)
                let waited = ContinuousClock.now - start
                #expect(waited > .milliseconds(1900) && waited < .seconds(2 + 2 * Loads.slowness), "\(waited)")
            }
        }

        /// Expects that a rate limit refills by the monotonic clock: a step back does not stop it, a step forward adds
        /// nothing.
        private static func expectLimit(across clock: FakeClock, _ service: PresignProcess) async throws {
            let client = try RawClient(port: service.port)
            func granted(of count: Int) throws -> Int {
                for _ in 0..<count { client.send(Loads.Chaos.request(service)) }
                return try (0..<count).count { _ in try client.response()?.status == 200 }
            }
            try clock.step(to: -120)
            #expect(try granted(of: 200) < 200)
            try await Loads.Chaos.settles("the limit refills") { try granted(of: 1) == 1 }
            #expect(try granted(of: 200) < 200)
            try clock.step(to: 120)
            #expect(try granted(of: 100) < 100)
        }
    }
}

/// A wall clock with an offset that is read from a file.
struct FakeClock {
    /// The library's location on Debian, for any architecture.
    static let library: String? = {
        let folder = "/usr/lib"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.map { "\(folder)/\($0)/faketime/libfaketime.so.1" }.first(where: FileManager.default.fileExists)
    }()

    /// The library changes the environment of the first process, and Swift's runtime locates the arguments relative to
    /// the environment. So a shell is started first.
    static let wrapper = ["/bin/sh", "-c", #"exec "$0" "$@""#]

    private let file: URL

    init(in folder: URL) throws {
        file = folder.appending(path: "offset")
        try step(to: 0)
    }

    func step(to minutes: Int) throws {
        let sign = minutes < 0 ? "-" : "+"
        try Data("\(sign)\(60 * abs(minutes))\n".utf8).write(to: file, options: .atomic)
    }

    var environment: [String: String] {
        [
            "LD_PRELOAD": Self.library ?? "", "FAKETIME_TIMESTAMP_FILE": file.path(), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DONT_RESET": "1",
        ]
    }
}
