import HTTP1
package import System
import TLS
import Text

/// One HTTP/1.1 exchange on a connection of its own, in the clear or, for `https`, over TLS. It blocks: never call it on an
/// event loop.
///
/// No redirection is followed, no proxy used, and nothing repaired: the answers wanted here are small and come from
/// near by.
package enum HTTPFetch {
    /// Sends the request to the first of some addresses that takes a connection, and gives its answer, whatever its status.
    ///
    /// - Parameters:
    ///   - addresses: where the URL's host is; see `HostResolver`.
    ///   - authorities: a PEM file of those who may vouch for the host of an `https` URL; nil means the system's.
    ///   - deadline: for all of it.
    package static func response(
        to request: FetchRequest, fromOneOf addresses: [PeerAddress], authorities: String? = nil,
        by deadline: Deadline
    ) throws(FetchFailure) -> FetchResponse {
        var failure = FetchFailure.unknownHost
        for (index, address) in addresses.enumerated() {
            let connection: OutgoingConnection
            do {
                // One that swallows what is sent to it must leave time for the others.
                connection = try .connected(
                    to: address, port: request.url.port, within: deadline.share(of: addresses.count - index),
                    by: deadline)
            } catch {
                guard error.isAbsence else { throw error }
                failure = error
                continue
            }
            return try response(to: request, over: connection, authorities, deadline)
        }
        throw failure
    }

    private static func response(
        to request: FetchRequest, over connection: borrowing OutgoingConnection, _ authorities: String?,
        _ deadline: Deadline
    ) throws(FetchFailure) -> FetchResponse {
        var answer = Answer(ResponseParser(bodyLimit: request.limit))
        if request.url.isSecure {
            try exchange(request, over: connection, authorities, deadline, &answer)
        } else {
            try exchange(request, over: connection, &answer)
        }
        if let failure = answer.failure { throw failure == .bodyTooLarge ? .tooLarge(request.limit) : .malformed }
        return FetchResponse(status: answer.parser.status, body: Array(answer.parser.body))
    }

    /// An answer while it comes.
    private struct Answer {
        var parser: ResponseParser
        private(set) var failure: HTTPFailure?

        init(_ parser: ResponseParser) { self.parser = parser }

        /// True when there is nothing more to take, for better or worse.
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
        _ request: FetchRequest, over connection: borrowing OutgoingConnection, _ answer: inout Answer
    ) throws(FetchFailure) {
        try connection.send(request.bytes)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = try connection.receive(into: &buffer)
            guard count > 0 else {
                guard answer.parser.mayEnd else { throw .cutShort }
                return
            }
            if answer.take(buffer[..<count]) { return }
        }
    }

    private static func exchange(
        _ request: FetchRequest, over connection: borrowing OutgoingConnection, _ authorities: String?,
        _ deadline: Deadline, _ answer: inout Answer
    ) throws(FetchFailure) {
        let host =
            switch request.url.host {
            case .address(let address): "\(address)"
            case .name(let name): name
            }
        var isComplete = false
        let hasEnded: Bool
        do {
            hasEnded = try ClientTLS(trusting: authorities.map { .file($0) } ?? .system).exchange(
                request.bytes, with: host, over: connection.descriptor, until: deadline.instant
            ) { piece in
                var bytes: [UInt8] = []
                bytes.append(piece)
                isComplete = answer.take(bytes[...])
                return isComplete
            }
        } catch {
            throw deadline.millisecondsLeft == 0 ? .timedOut : .insecure(error.description)
        }
        // Without the server's word that this is all, an answer that ends with the connection may have lost its end.
        guard isComplete || (hasEnded && answer.parser.mayEnd) else { throw .cutShort }
    }
}
