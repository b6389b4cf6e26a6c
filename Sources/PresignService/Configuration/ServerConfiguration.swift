package import HTTPServing
import SystemInterface

extension HTTPServerConfiguration {
    /// Every IPv4 address, port 8080, one loop per core.
    package static var standard: HTTPServerConfiguration {
        HTTPServerConfiguration(listen: [.tcp(host: "0.0.0.0", port: 8080)], loops: Processors.count)
    }

    /// Takes over what the section `server` says; what it leaves out keeps its default.
    mutating func apply(
        _ node: ConfigurationNode, _ bodies: inout BodyLimits, _ shutdownDelay: inout Duration,
        _ tls: inout TLSConfiguration?
    ) throws(ConfigurationError) {
        let keys = try node.mapping(["listen", "loops", "backlog", "limits", "timeouts", "shutdownDelay", "tls"])
        if let node = keys["listen"] { listen = try Self.addresses(node) }
        if let node = keys["loops"] {
            let count = try node.integer(in: 0...256)
            if count > 0 { loops = count }
        }
        if let node = keys["backlog"] { backlog = Int32(try node.integer(in: 1...65_535)) }
        if let node = keys["limits"] { try limits.apply(node, &bodies) }
        if let node = keys["timeouts"] { try timeouts.apply(node) }
        if let node = keys["shutdownDelay"] { shutdownDelay = try node.duration(in: .zero ... .seconds(600)) }
        if let node = keys["tls"] { tls = try TLSConfiguration(node, &plainListen) }
    }

    static func addresses(_ node: ConfigurationNode) throws(ConfigurationError) -> [ListenAddress] {
        let nodes = node.isList ? try node.list() : [node]
        guard !nodes.isEmpty else { throw node.error("must name at least one address") }
        var addresses: [ListenAddress] = []
        for node in nodes { addresses.append(try node.listenAddress()) }
        return addresses
    }
}

extension ConfigurationNode {
    /// An address to listen on.
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
    mutating func apply(_ node: ConfigurationNode, _ bodies: inout BodyLimits) throws(ConfigurationError) {
        let keys = try node.mapping([
            "requestLine", "headers", "headerCount", "body", "batchBody", "trailers", "connections", "inFlight",
            "accepts", "bufferedAnswers", "bufferedBytes", "linger",
        ])
        try bodies.apply(keys)
        if let node = keys["requestLine"] { requestLine = try node.size(in: 64...1_048_576) }
        if let node = keys["headers"] { headerBytes = try node.size(in: 256...1_048_576) }
        if let node = keys["headerCount"] { headerCount = try node.integer(in: 4...1000) }
        if let node = keys["trailers"] { trailerBytes = try node.size(in: 0...1_048_576) }
        if let node = keys["bufferedAnswers"] { bufferedAnswerBytes = try node.size(in: 4096...16_777_216) }
        if let node = keys["bufferedBytes"] { bufferedBytes = try node.size(in: 65_536...1_099_511_627_776) }
        if let node = keys["linger"] { lingerBytes = try node.size(in: 0...1_073_741_824) }
        if let node = keys["connections"] { connections = try node.integer(in: 1...1_000_000) }
        if let node = keys["inFlight"] { inFlight = try node.integer(in: 1...1_000_000) }
        if let node = keys["accepts"] { accepts = try node.integer(in: 1...65_535) }
    }
}

extension HTTPTimeouts {
    mutating func apply(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["header", "body", "idle", "write", "answer", "linger", "drain", "drainGrace"])
        let times: ClosedRange<Duration> = .milliseconds(10) ... .seconds(3600)
        if let node = keys["header"] { header = try node.duration(in: times) }
        if let node = keys["body"] { body = try node.duration(in: times) }
        if let node = keys["idle"] { idle = try node.duration(in: times) }
        if let node = keys["write"] { write = try node.duration(in: times) }
        if let node = keys["answer"] { answer = try node.duration(in: times) }
        if let node = keys["linger"] { linger = try node.duration(in: times) }
        if let node = keys["drainGrace"] { drainGrace = try node.duration(in: .zero ... .seconds(60)) }
        if let node = keys["drain"] { drain = try node.duration(in: .zero ... .seconds(3600)) }
    }
}
