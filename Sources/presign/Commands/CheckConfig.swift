import CallerAuthentication
import ConfigurationReading
import PresignService
import System

/// `presign check-config FILE`: reads a configuration as `serve` would and says what it found.
struct CheckConfig: Command {
    static let title = CommandTitle(
        "check-config",
        abstract: "Check a configuration file; each mistake is reported with line and column.",
        discussion: """
            The files with keys and certificates that it names are read too, and a file of
            the audit is opened, but not made.

            EXAMPLE
              presign check-config config/presign.yaml

            Exit code 0 when it is usable, 78 when not.
            """)

    private let file: String

    init(from arguments: inout Arguments) {
        file = arguments.word("file", help: "The YAML configuration file.")
    }

    func run() throws {
        let configuration = try ConfigurationFile.read(file)
        let authenticator = try authenticator(configuration.authentication)
        try ServiceParts.checkFiles(of: configuration.existence)
        try ServiceParts.checkFiles(of: configuration.audit)
        let tls = try configuration.tls.map { try TLSReloader.loaded($0).settings }
        let warnings =
            configuration.warnings.map(\.description) + authenticator.warnings
            + (tls.map(TLSReloader.warnings) ?? [])
        let issuers = authenticator.issuerKeyIDs.map { issuer in
            "tokens of \(issuer.issuer)"
                + (issuer.keyIDs.isEmpty ? "" : ": keys \(issuer.keyIDs.joined(separator: " "))")
        }
        try printLines(
            warnings.map { "warning: \($0)" } + ["\(file): valid"] + configuration.summary + issuers)
    }

    private func authenticator(
        _ configuration: AuthenticationConfiguration
    ) throws(CommandFailure) -> CallerAuthenticator {
        do {
            return try CallerAuthenticator(configuration, read: { try ReadableFile.contents(of: $0) })
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }
}
