import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// A proxy from Debian in front of the service, with persistent connections to it.
enum ReverseProxy: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case haproxy
    case nginx
    /// Forwards a body while receiving it, in chunks if it arrives in chunks.
    case nginxUnbuffered

    var testDescription: String { rawValue }

    /// Runs the body with the proxy.
    ///
    /// - Parameter body: Gets the proxy's `host:port`.
    func run(before service: PresignProcess, _ body: (String) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            let port = try FreePort.next()
            let file = directory.appending(path: "configuration")
            try Data(configuration(port, service.address, directory).utf8).write(to: file)
            _ = try await BackgroundProgram.run(program, arguments(file, directory), awaited: false) { proxy in
                try await proxy.listens(on: port)
                try await body("127.0.0.1:\(port)")
            }
        }
    }

    private var program: String { self == .haproxy ? "/usr/sbin/haproxy" : Nginx.program }

    private func arguments(_ file: URL, _ directory: URL) -> [String] {
        switch self {
        case .haproxy: ["-db", "-f", file.path()]
        case .nginx, .nginxUnbuffered: Nginx.arguments(file, in: directory)
        }
    }

    private func configuration(_ port: UInt16, _ service: String, _ directory: URL) -> String {
        switch self {
        case .haproxy:
            """
            global
                maxconn 1000
            defaults
                mode http
                timeout connect 5s
                timeout client 30s
                timeout server 30s
                http-reuse always
                retries 0
            listen presign
                bind 127.0.0.1:\(port)
                server presign \(service)

            """
        case .nginx, .nginxUnbuffered:
            Nginx.configuration(
                """
                client_max_body_size 0;
                upstream presign { server \(service); keepalive 64; }
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass http://presign;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_next_upstream off;
                        proxy_request_buffering \(self == .nginx ? "on" : "off");
                    }
                }
                """, in: directory)
        }
    }
}
