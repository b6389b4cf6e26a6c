import Foundation
import Testing

extension Loads {
    @Suite("Behind haproxy and nginx with persistent connections")
    struct ReverseProxies {
        @Test("Thousands of requests get a URL over few connections", arguments: ReverseProxy.allCases)
        func load(proxy: ReverseProxy) async throws {
            try await Loads.serving { service in
                try await proxy.run(before: service) { address in
                    let load = try await Wrk.run("http://\(address)/presign", key: service.apiKey, connections: 32)
                    #expect(load.isClean && load.granted > 1000 / Loads.slowness, "\(load)")
                    // At most one per wrk connection, plus one per thousand requests, after which nginx opens a new
                    // one.
                    let used = try SocketTable.recent(of: service.port)
                    #expect(used > 0 && used <= 33 + load.granted / 1000, "\(used) connections for \(load.granted)")
                }
            }
        }

        /// A request and its expected status.
        struct Refusal: Sendable {
            var method = "POST"
            var path = "/presign"
            var headers = ["Content-Type": "application/json"]
            var hasKey = true
            var body = Data(Loads.body.utf8)
            let status: Int

            func send(to address: String, _ headers: [String: String]) async throws -> HTTP.Response {
                try await Curl.send(method, "http://\(address)\(path)", headers: headers, body: body)
            }
        }

        private static let refusals = [
            Refusal(hasKey: false, status: 401),
            Refusal(body: Data("{".utf8), status: 400),
            Refusal(body: Data(#"{"path":"a","expiresin":5}"#.utf8), status: 400),
            Refusal(path: "/nowhere", status: 404),
            Refusal(method: "PATCH", status: 405),
            Refusal(headers: ["Content-Type": "text/xml"], status: 415),
            Refusal(body: Data(#"{"path":"a","expiresIn":604801}"#.utf8), status: 400),
            Refusal(body: Data(repeating: 0x20, count: 100_000), status: 413),
            Refusal(
                headers: ["Content-Type": "application/json", "Transfer-Encoding": "chunked"],
                body: Data(repeating: 0x20, count: 100_000), status: 413),
        ]

        @Test("A rejection is forwarded unchanged, and the next request gets a URL", arguments: ReverseProxy.allCases)
        func refused(proxy: ReverseProxy) async throws {
            try await Loads.serving { service in
                try await proxy.run(before: service) { address in
                    for (number, refusal) in Self.refusals.enumerated() {
                        var headers = refusal.headers.merging(["X-Request-Id": "number-\(number)"]) { given, _ in given
                        }
                        if refusal.hasKey { headers["X-API-Key"] = service.apiKey }
                        let direct = try await refusal.send(to: service.address, headers)
                        let passed = try await refusal.send(to: address, headers)
                        #expect(direct.status == refusal.status && passed.status == refusal.status, "\(passed.text)")
                        #expect(passed.text == direct.text && !direct.text.isEmpty)
                        for name in ["content-type", "www-authenticate", "allow", "x-request-id", "cache-control"] {
                            #expect(passed.headers[name] == direct.headers[name], "\(name)")
                        }
                        try await Self.grant(service, through: address)
                    }
                }
            }
        }

        @Test("Chunked bodies and 100-continue work", arguments: ReverseProxy.allCases)
        func chunked(proxy: ReverseProxy) async throws {
            try await Loads.serving { service in
                try await proxy.run(before: service) { address in
                    for _ in 0..<3 {
                        try await Self.grant(service, through: address, ["Transfer-Encoding": "chunked"])
                        try await Self.grant(service, through: address, ["Expect": "100-continue"])
                    }
                    let used = try SocketTable.recent(of: service.port)
                    #expect(used == 1, "\(used) connections for one request after the other")
                }
            }
        }

        private static func grant(
            _ service: PresignProcess, through address: String, _ headers: [String: String] = [:]
        ) async throws {
            let standing = ["X-API-Key": service.apiKey, "Content-Type": "application/json"]
            let response = try await Curl.send(
                "POST", "http://\(address)/presign", headers: headers.merging(standing) { given, _ in given },
                body: Data(Loads.body.utf8))
            #expect(response.status == 200, "\(response.text)")
        }
    }
}
