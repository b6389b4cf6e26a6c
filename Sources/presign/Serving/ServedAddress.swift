import HTTPServer

/// How a listener is reached from this machine.
struct ServedAddress {
    let address: ListenAddress
    /// Whether it speaks TLS.
    let isSecure: Bool

    private var scheme: String { isSecure ? "https" : "http" }

    /// The base URL; nil for a Unix socket.
    var url: String? {
        guard case .tcp(let host, let port) = address else { return nil }
        switch host {
        case "", "0.0.0.0": return "\(scheme)://127.0.0.1:\(port)"
        case "::": return "\(scheme)://[::1]:\(port)"
        default: return "\(scheme)://\(address)"
        }
    }

    /// The web origins a page served here may have in a browser on this machine.
    var origins: [String] {
        guard case .tcp(_, let port) = address, let url else { return [] }
        let names = ["127.0.0.1", "localhost", "[::1]"].map { "\(scheme)://\($0):\(port)" }
        return names.contains(url) ? names : [url]
    }

    /// The beginning of a curl command for a path of the service, which fails with the text of the problem.
    func curl(path: String) -> String {
        switch address {
        case .unix(let socket, _): "curl -sS --fail-with-body --unix-socket '\(socket)' http://localhost\(path)"
        case .tcp: "curl -sS --fail-with-body \(url ?? "")\(path)"
        }
    }
}
