import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// A proxy configuration in `config/`, run by the real program with changed addresses and files.
struct FrontEnd: Sendable, CustomTestStringConvertible {
    enum Kind { case nginx, caddy }

    private let kind: Kind
    private let program: String
    private let file: URL

    private init(_ kind: Kind, _ name: String, program: String? = nil) {
        self.kind = kind
        self.program = program ?? (kind == .nginx ? Nginx.program : "/usr/bin/caddy")
        file = Deployment.file("config/\(name)")
    }

    /// The front ends that do not authenticate users.
    static let plain = [FrontEnd(.nginx, "nginx.conf"), FrontEnd(.caddy, "Caddyfile")]

    /// The front ends with sign-in, for Debian's programs and for a Caddy version with GHSA-7r4p-vjf4-gxv4.
    static let signIn =
        [FrontEnd(.nginx, "nginx-sign-in.conf"), FrontEnd(.caddy, "Caddyfile-sign-in")]
        + [vulnerableCaddy].compactMap { $0 }.map { FrontEnd(.caddy, "Caddyfile-sign-in", program: $0) }

    private static let vulnerableCaddy = ProcessInfo.processInfo.environment["PRESIGN_E2E_CADDY"]

    var testDescription: String { "\(program), \(file.lastPathComponent)" }

    static let secret = "0123456789abcdef-of-the-front-end"

    /// Writes the configuration; only addresses and files differ from the one in `config/`.
    private func configuration(
        in folder: URL, _ port: UInt16, _ service: String, _ signIn: String?
    ) throws -> URL {
        var text = try String(contentsOf: file, encoding: .utf8)
        var replacements: [(String, String)] =
            switch kind {
            case .nginx:
                [
                    ("    listen [::]:443 ssl;\n", ""), ("443", "127.0.0.1:\(port)"), ("127.0.0.1:8080", service),
                    ("/etc/ssl/presign/fullchain.pem", folder.appending(path: "certificate").path()),
                    ("/etc/ssl/presign/privkey.pem", folder.appending(path: "key").path()),
                    ("/etc/nginx/presign-secret.conf", folder.appending(path: "secret.conf").path()),
                ]
            case .caddy:
                [
                    (
                        "presign.example.com {",
                        """
                        presign.example.com:\(port) {
                        \tbind 127.0.0.1
                        \ttls \(folder.appending(path: "certificate").path()) \(folder.appending(path: "key").path())
                        """
                    ), ("127.0.0.1:8080", service),
                ]
            }
        if let signIn { replacements.append(("127.0.0.1:4180", signIn)) }
        for (old, new) in replacements {
            try #require(text.contains(old), "\(file.lastPathComponent) has no \(old)")
            text = text.replacing(old, with: new)
        }
        if kind == .nginx {
            text = Nginx.configuration(text, in: folder)
        } else {
            text = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + text
        }
        let secret = "proxy_set_header X-Proxy-Secret \"\(Self.secret)\";\n"
        try Data(secret.utf8).write(to: folder.appending(path: "secret.conf"))
        let configuration = folder.appending(path: "configuration")
        try Data(text.utf8).write(to: configuration)
        return configuration
    }

    private func arguments(_ configuration: URL, _ folder: URL, checks: Bool) -> [String] {
        switch kind {
        case .nginx: (checks ? ["-t", "-q"] : []) + Nginx.arguments(configuration, in: folder)
        case .caddy: [checks ? "validate" : "run", "--config", configuration.path(), "--adapter", "caddyfile"]
        }
    }

    /// Runs the body with the front end; passes the port and the certificate's file.
    ///
    /// - Parameter signIn: `host:port` of a replacement for oauth2-proxy.
    func run(
        before service: PresignProcess, signIn: String? = nil, _ body: (UInt16, URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let certificate = folder.appending(path: "certificate")
            try await Nginx.makeCertificate(for: "DNS:presign.example.com", in: folder)
            let environment = ["PRESIGN_PROXY_SECRET": Self.secret, "HOME": folder.path()]
            let port = try FreePort.next()
            let configuration = try configuration(in: folder, port, service.address, signIn)
            // Caddy would report the changes above as unformatted.
            let check = try await Command.run(
                program, arguments(kind == .nginx ? configuration : file, folder, checks: true),
                environment: environment)
            #expect(check.status == 0, "\(check)")
            let words = check.errors.lowercased()
            #expect(!words.contains("[warn]") && !words.contains(#""level":"warn""#), "\(check)")
            _ = try await BackgroundProgram.run(
                program, arguments(configuration, folder, checks: false), environment: environment, awaited: false
            ) { proxy in
                try await proxy.listens(on: port)
                try await body(port, certificate)
            }
        }
    }
}
