import HTTP1
package import System
import Text

/// One HTTP/1.1 exchange on a new connection, with TLS for `https`. Blocks, so do not call it on an event loop.
///
/// Does not follow redirects or use a proxy, and rejects malformed responses. Meant for small responses.
package enum HTTPFetch {
    /// Sends the request to the first address that accepts a connection, and returns the response with any status.
    ///
    /// - Parameters:
    ///   - addresses: the addresses of the URL's host; see `HostResolver`.
    ///   - authorities: a PEM file of the certificate authorities for an `https` URL; nil for the system's.
    ///   - verifiesServer: false for a health check on this machine, which sends no secrets and accepts any server.
    ///   - deadline: for the whole exchange.
    package static func response(
        to request: FetchRequest, fromOneOf addresses: [PeerAddress], authorities: String? = nil,
        verifiesServer: Bool = true, by deadline: MonotonicTime
    ) throws(FetchFailure) -> FetchResponse {
        let trust: ClientTLS.Trust = verifiesServer ? authorities.map { .file($0) } ?? .system : .anyone
        var failure = FetchFailure.unknownHost
        for (index, address) in addresses.enumerated() {
            let connection: OutgoingConnection
            do {
                // An address that drops packets must leave time for the others.
                connection = try .connected(
                    to: address, port: request.url.port,
                    within: end(ofFirstOf: addresses.count - index, until: deadline),
                    by: deadline)
            } catch {
                guard error.isAbsence else { throw error }
                failure = error
                continue
            }
            return try response(to: request, over: connection, trust, deadline)
        }
        throw failure
    }

    /// Looks up the host of the URL and sends the request, as the other method does.
    ///
    /// - Parameter limit: for the whole exchange.
    package static func response(
        to request: FetchRequest, authorities: String? = nil, within limit: Duration
    ) throws(FetchFailure) -> FetchResponse {
        let deadline = MonotonicTime.after(limit)
        return try response(
            to: request, fromOneOf: HostResolver.system.addresses(of: request.url.host, by: deadline),
            authorities: authorities, by: deadline)
    }

    /// Sends the request to the server that listens on a Unix socket, and returns the response with any status.
    package static func response(
        to request: FetchRequest, overSocketAt path: String, by deadline: MonotonicTime
    ) throws(FetchFailure) -> FetchResponse {
        try response(to: request, over: try .connected(toSocketAt: path, by: deadline), .system, deadline)
    }

    /// Divides the remaining time into equal parts and returns the end of the first.
    private static func end(ofFirstOf count: Int, until deadline: MonotonicTime) -> MonotonicTime {
        let now = MonotonicTime.now()
        return now + TimeSpan(nanoseconds: (deadline.nanoseconds - now.nanoseconds) / Int64(count))
    }

    private static func response(
        to request: FetchRequest, over connection: OutgoingConnection, _ trust: ClientTLS.Trust,
        _ deadline: MonotonicTime
    ) throws(FetchFailure) -> FetchResponse {
        var response = IncomingResponse(
            ResponseParser(bodyLimit: request.limit, answersHEAD: request.method == .head))
        if request.url.isSecure {
            try exchange(request, over: connection, trust, deadline, &response)
        } else {
            try exchange(request, over: connection, &response)
        }
        if let failure = response.failure { throw failure == .bodyTooLarge ? .tooLarge(request.limit) : .malformed }
        return FetchResponse(
            status: response.parser.status, headers: response.parser.headers, body: Array(response.parser.body))
    }

    /// A response that is being received.
    private struct IncomingResponse {
        var parser: ResponseParser
        private(set) var failure: HTTPFailure?

        init(_ parser: ResponseParser) { self.parser = parser }

        /// Parses more bytes. Returns true once the response is complete or invalid.
        mutating func take(_ bytes: ArraySlice<UInt8>) -> Bool {
            do {
                return try parser.take(bytes)
            } catch {
                failure = error
                return true
            }
        }
    }

    private static func exchange(
        _ request: FetchRequest, over connection: OutgoingConnection, _ response: inout IncomingResponse
    ) throws(FetchFailure) {
        try connection.send(request.bytes)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = try connection.receive(into: &buffer)
            guard count > 0 else {
                guard response.parser.mayEnd else { throw .cutShort }
                return
            }
            if response.take(buffer[..<count]) { return }
        }
    }

    private static func exchange(
        _ request: FetchRequest, over connection: OutgoingConnection, _ trust: ClientTLS.Trust,
        _ deadline: MonotonicTime, _ response: inout IncomingResponse
    ) throws(FetchFailure) {
        let host =
            switch request.url.host {
            case .address(let address): "\(address)"
            case .name(let name): name
            }
        var isComplete = false
        let hasEnded: Bool
        do {
            hasEnded = try ClientTLS(trusting: trust).exchange(
                request.bytes, with: host, over: connection.socket, until: deadline
            ) { piece in
                var bytes: [UInt8] = []
                bytes.append(piece)
                isComplete = response.take(bytes[...])
                return isComplete
            }
        } catch {
            throw deadline <= .now() ? .timedOut : .insecure(error.description)
        }
        // Without a close_notify alert, a response that is delimited by the end of the connection may be truncated.
        guard isComplete || (hasEnded && response.parser.mayEnd) else { throw .cutShort }
    }
}
