package import DataFormats
package import HTTP1
package import HTTPServer
import System

extension HTTPServerConfiguration {
    /// The defaults: every IPv4 address, port 8080, one event loop per core.
    package static var standard: HTTPServerConfiguration {
        HTTPServerConfiguration(listen: [.tcp(host: "0.0.0.0", port: 8080)], loops: Processors.count)
    }

    /// Reads the section `server`. Absent keys keep their values; errors are collected.
    package mutating func apply(
        _ node: ConfigurationNode, _ bodies: inout BodyLimits, _ shutdownDelay: inout Duration,
        _ tls: inout TLSConfiguration?
    ) {
        let names = ["listen", "loops", "backlog", "limits", "timeouts", "shutdownDelay", "tls"]
        guard let keys = node.mistakes.collect(at: node, { try $0.mapping(names) }) else { return }
        keys.read("listen", into: &listen, Self.addresses)
        if let count = keys.value("loops", { try $0.integer(in: 0...256) }), count > 0 { loops = count }
        keys.read("backlog", into: &backlog) { Int32(try $0.integer(in: 1...65_535)) }
        _ = keys.value("limits") { try limits.apply($0, &bodies) }
        _ = keys.value("timeouts") { try timeouts.apply($0) }
        keys.read("shutdownDelay", into: &shutdownDelay) { try $0.duration(in: .zero ... .seconds(600)) }
        tls = keys.value("tls") { try TLSConfiguration($0, &plainListen) }
    }

    package static func addresses(_ node: ConfigurationNode) throws(ConfigurationError) -> [ListenAddress] {
        let nodes = node.isList ? try node.list() : [node]
        guard !nodes.isEmpty else { throw node.error("must name at least one address") }
        return nodes.compactMap { node in node.mistakes.collect(at: node) { try $0.listenAddress() } }
    }
}

extension ConfigurationNode {
    /// Reads an address to listen on.
    func listenAddress() throws(ConfigurationError) -> ListenAddress {
        let text = try string()
        do {
            return try ListenAddress.parse(text)
        } catch {
            throw self.error(error.description)
        }
    }
}

extension HTTPLimits {
    package mutating func apply(_ node: ConfigurationNode, _ bodies: inout BodyLimits) throws(ConfigurationError) {
        let keys = try node.mapping([
            "requestLine", "headers", "headerCount", "body", "batchBody", "trailers", "connections", "inFlight",
            "accepts", "bufferedAnswers", "bufferedBytes", "linger",
        ])
        keys.read("body", into: &bodies.single) { try $0.size(in: 256...1_048_576) }
        keys.read("batchBody", into: &bodies.batch) { try $0.size(in: 256...16_777_216) }
        keys.read("requestLine", into: &requestLine) { try $0.size(in: 64...1_048_576) }
        keys.read("headers", into: &headerBytes) { try $0.size(in: 256...1_048_576) }
        keys.read("headerCount", into: &headerCount) { try $0.integer(in: 4...1000) }
        keys.read("trailers", into: &trailerBytes) { try $0.size(in: 0...1_048_576) }
        keys.read("bufferedAnswers", into: &bufferedResponseBytes) { try $0.size(in: 4096...16_777_216) }
        keys.read("bufferedBytes", into: &bufferedBytes) { try $0.size(in: 65_536...1_099_511_627_776) }
        keys.read("linger", into: &lingerBytes) { try $0.size(in: 0...1_073_741_824) }
        keys.read("connections", into: &connections) { try $0.integer(in: 1...1_000_000) }
        keys.read("inFlight", into: &inFlight) { try $0.integer(in: 1...1_000_000) }
        keys.read("accepts", into: &accepts) { try $0.integer(in: 1...65_535) }
    }
}

extension HTTPTimeouts {
    package mutating func apply(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["header", "body", "idle", "write", "answer", "linger", "drain", "drainGrace"])
        let times: ClosedRange<Duration> = .milliseconds(10) ... .seconds(3600)
        keys.read("header", into: &header) { try $0.duration(in: times) }
        keys.read("body", into: &body) { try $0.duration(in: times) }
        keys.read("idle", into: &idle) { try $0.duration(in: times) }
        keys.read("write", into: &write) { try $0.duration(in: times) }
        keys.read("answer", into: &response) { try $0.duration(in: times) }
        keys.read("linger", into: &linger) { try $0.duration(in: times) }
        keys.read("drainGrace", into: &drainGrace) { try $0.duration(in: .zero ... .seconds(60)) }
        keys.read("drain", into: &drain) { try $0.duration(in: .zero ... .seconds(3600)) }
    }
}

/// The maximum sizes of request bodies in bytes; larger ones are refused with 413.
package struct BodyLimits: Sendable, Equatable {
    /// For `POST /presign`, and for each item of a batch.
    package var single = 16 * 1024
    /// For a whole `POST /presign/batch`.
    package var batch = 1024 * 1024

    /// The defaults.
    package init() {}

    /// The limit that the server enforces before routing.
    var largest: Int { max(single, batch) }
}
