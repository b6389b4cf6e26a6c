import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// nginx from Debian as a process of one test.
enum Nginx {
    static let program = "/usr/sbin/nginx"

    /// Returns a configuration whose files are in a folder.
    ///
    /// - Parameter http: Directives of the context `http`.
    static func configuration(_ http: String, in folder: URL) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder.path())/\($0);" }.joined(separator: " ")
        return """
            daemon off;
            master_process off;
            pid \(folder.path())/pid;
            events {}
            http {
                access_log off;
                \(temporary)
                \(http)
            }

            """
    }

    static func arguments(_ configuration: URL, in folder: URL) -> [String] {
        ["-p", folder.path(), "-e", "stderr", "-c", configuration.path()]
    }

    /// Writes a certificate and its key to the files `certificate` and `key` of a folder.
    ///
    /// - Parameter name: The subject alternative name: `IP:127.0.0.1`.
    static func makeCertificate(for name: String, in folder: URL) async throws {
        let made = try await Command.run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=presign", "-addext", "subjectAltName=\(name)", "-keyout",
                folder.appending(path: "key").path(), "-out", folder.appending(path: "certificate").path(),
            ])
        try #require(made.status == 0, "\(made.errors)")
    }

    /// Runs the body with a server before a storage.
    ///
    /// - Parameters:
    ///   - isSecure: Whether it needs TLS, with the certificate in the folder.
    ///   - location: A block `location`.
    ///   - body: Gets the port and the folder.
    static func run(isSecure: Bool = false, location: String, _ body: (UInt16, URL) async throws -> Void) async throws {
        try await withTemporaryDirectory { folder in
            let (port, file) = (try FreePort.next(), folder.appending(path: "configuration"))
            if isSecure { try await makeCertificate(for: "IP:127.0.0.1", in: folder) }
            let tls = "ssl_certificate \(folder.path())/certificate; ssl_certificate_key \(folder.path())/key;"
            let server = """
                client_max_body_size 0;
                server {
                    listen 127.0.0.1:\(port)\(isSecure ? " ssl; \(tls)" : ";")
                    \(location)
                }
                """
            try Data(configuration(server, in: folder).utf8).write(to: file)
            _ = try await BackgroundProgram.run(program, arguments(file, in: folder), awaited: false) { nginx in
                try await nginx.listens(on: port)
                try await body(port, folder)
            }
        }
    }
}
