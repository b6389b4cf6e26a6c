import Foundation
import TestSupport
import Testing

/// Canaille, an identity provider, with the user alice; see `Tests/clients/provider.py`.
struct IdentityProvider: Sendable {
    static let interpreter = ProcessInfo.processInfo.environment["PRESIGN_E2E_PROVIDER"]

    /// `http://127.0.0.1:port`.
    let issuer: String

    /// Runs the body with a provider, then stops it.
    ///
    /// - Parameters:
    ///   - page: The URL of the page that signs users in.
    ///   - lifetime: That of access tokens, in seconds.
    static func run(page: String, lifetime: Int, _ body: (IdentityProvider) async throws -> Void) async throws {
        let python = try #require(interpreter)
        try await withTemporaryDirectory { directory in
            let port = try FreePort.next()
            let (output, errors) = (directory.appending(path: "output"), directory.appending(path: "errors"))
            let (process, exit) = try Command.start(
                python, [Python.script("provider"), "\(port)", page, "\(lifetime)"], environment: [:],
                output: output, errors: errors)
            let provider = IdentityProvider(issuer: "http://127.0.0.1:\(port)")
            let outcome: Result<Void, any Error>
            do {
                let isReady = try await eventually(within: .seconds(60)) {
                    let log = try String(contentsOf: errors, encoding: .utf8)
                    try #require(process.isRunning, "\(log)")
                    return log.contains("Running on \(provider.issuer)")
                }
                try #require(isReady)
                outcome = .success(try await body(provider))
            } catch {
                outcome = .failure(error)
            }
            // SIGKILL, because the process inherits a mask that blocks the termination signals.
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            _ = await exit.first { _ in true }
            try outcome.get()
        }
    }

    /// Signs with a new key from now on.
    func rotateKeys() async throws { try await perform("rotate") }

    /// Renews no sign-in of before.
    func forgetSignIns() async throws { try await perform("forget") }

    private func perform(_ command: String) async throws {
        let response = try await HTTP.send("POST", "\(issuer)/control/\(command)")
        try #require(response.status == 204)
    }

    /// The section `auth.jwt` of a service, with a copy of its keys. Without leeway, so that a token ends when it expires.
    func entry(keys: URL) -> String {
        """
        [{name: users, issuer: "\(issuer)", audience: files, algorithms: [RS256], jwks: "\(keys.path())", leeway: 0s}]
        """
    }

    /// Its public keys, a JWK set.
    func keys() async throws -> Data { try await HTTP.send("GET", issuer + "/oauth/jwks.json").body }
}

extension Trait where Self == ConditionTrait {
    static var identityProvider: Self {
        .enabled(if: IdentityProvider.interpreter != nil, "needs PRESIGN_E2E_PROVIDER; Tests/run.sh sets it")
    }
}
