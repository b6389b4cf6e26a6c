package import HTTPClient
package import HTTPServer
package import PresignService
import System

/// A listener of the service, as clients on this machine reach it.
package struct ServedAddress {
    package let address: ListenAddress
    /// Whether it uses TLS.
    let isSecure: Bool

    package init(_ address: ListenAddress, isSecure: Bool) { (self.address, self.isSecure) = (address, isSecure) }

    /// The address of a configuration that a health check uses: one without TLS, if there is any, else the first.
    package init?(checkedBy configuration: ServiceConfiguration) {
        let server = configuration.server
        let addresses = (server.listen + server.plainListen).enumerated().map { index, address in
            ServedAddress(address.reachable, isSecure: configuration.speaksTLS(address, at: index))
        }
        guard let address = addresses.first(where: { !$0.isSecure }) ?? addresses.first else { return nil }
        self = address
    }

    private var scheme: String { isSecure ? "https" : "http" }

    /// The base URL from this machine; nil for a Unix socket.
    var url: String? {
        address.isTCP ? "\(scheme)://\(address.reachable)" : nil
    }

    /// The web origins of a page served here, in a browser on this machine.
    var origins: [String] {
        guard case .tcp(_, let port) = address, let url else { return [] }
        let names = ["127.0.0.1", "localhost", "[::1]"].map { "\(scheme)://\($0):\(port)" }
        return names.contains(url) ? names : [url]
    }

    /// Returns the beginning of a curl command for a path of the service. On an error response curl prints the body and
    /// fails.
    func curl(path: String) -> String {
        switch address {
        case .unix(let socket, _): "curl -sS --fail-with-body --unix-socket '\(socket)' http://localhost\(path)"
        case .tcp: "curl -sS --fail-with-body \(url ?? "")\(path)"
        }
    }

    /// Returns the status code of the response to `GET path`. Any certificate is accepted, because the request carries no
    /// secret. Blocks for 4 seconds at most.
    package func status(of path: String) throws(FetchFailure) -> Int {
        let deadline = MonotonicTime.after(.seconds(4))
        switch address {
        case .unix(let socket, _):
            guard let url = FetchURL("http://localhost\(path)") else { throw .unknownHost }
            return try HTTPFetch.response(to: FetchRequest(.get, url), overSocketAt: socket, by: deadline).status
        case .tcp(let host, let port):
            guard let url = FetchURL("\(scheme)://localhost:\(port)\(path)") else { throw .unknownHost }
            let peer = PeerAddress(literal: host.utf8.span) ?? .ipv4(0x7F00_0001)
            return try HTTPFetch.response(
                to: FetchRequest(.get, url), fromOneOf: [peer], verifiesServer: false, by: deadline
            ).status
        }
    }
}
