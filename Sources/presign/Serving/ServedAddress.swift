import HTTPServer

/// A listener of the service, as clients on this machine reach it.
struct ServedAddress {
    let address: ListenAddress
    /// Whether it uses TLS.
    let isSecure: Bool

    private var scheme: String { isSecure ? "https" : "http" }

    /// The base URL from this machine; nil for a Unix socket.
    var url: String? {
        guard case .tcp(let host, let port) = address else { return nil }
        switch host {
        case "", "0.0.0.0": return "\(scheme)://127.0.0.1:\(port)"
        case "::": return "\(scheme)://[::1]:\(port)"
        default: return "\(scheme)://\(address)"
        }
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
}
