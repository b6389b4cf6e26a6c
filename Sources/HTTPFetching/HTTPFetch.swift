package import HTTPServing

/// One HTTP/1.1 exchange on a connection of its own. It blocks: never call it on an event loop.
///
/// No redirection is followed, no proxy used, and nothing repaired: the answers wanted here are small and come from
/// near by.
package enum HTTPFetch {
    /// Sends the request to the first of some addresses that takes a connection, and gives the answer; see the other
    /// `response`.
    package static func response(
        to request: FetchRequest, fromOneOf addresses: [PeerAddress], by deadline: Deadline
    ) throws(FetchFailure) -> FetchResponse {
        var failure = FetchFailure.unknownHost
        for address in addresses {
            do {
                return try response(to: request, from: address, by: deadline)
            } catch .unreachable(let reason) {
                failure = .unreachable(reason)
            }
        }
        throw failure
    }

    /// Sends the request to the server at an address, and gives its answer, whatever its status.
    ///
    /// - Parameters:
    ///   - address: where the URL's host is; see `HostResolution`.
    ///   - deadline: for all of it.
    package static func response(
        to request: FetchRequest, from address: PeerAddress, by deadline: Deadline
    ) throws(FetchFailure) -> FetchResponse {
        let connection = try OutgoingConnection.connected(to: address, port: request.url.port, by: deadline)
        try connection.send(request.bytes)
        var parser = ResponseParser(bodyLimit: request.limit)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = try connection.receive(into: &buffer)
            guard count > 0 else {
                guard parser.mayEnd else { throw .cutShort }
                break
            }
            do {
                if try parser.take(buffer[..<count]) { break }
            } catch {
                throw error == .bodyTooLarge ? .tooLarge(request.limit) : .malformed
            }
        }
        return FetchResponse(status: parser.status, body: Array(parser.body))
    }
}
