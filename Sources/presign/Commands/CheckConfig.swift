import ArgumentParser
import CallerAuthentication
import ConfigurationReading
import PresignService
import System

/// `presign check-config FILE`: validates a configuration and the files that it names.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check a configuration file and report every error with its line and column.",
        discussion: """
            The key and certificate files that the configuration names are read too. The
            audit file is opened for appending if it exists; it is not created. No request
            is sent: `presign doctor` finds out what the stores enforce.

            EXAMPLE
              presign check-config config/presign.yaml

            Exit code 0 if the configuration is valid, 78 if it is not.
            """)

    @Argument(help: "The YAML configuration file.", completion: .yaml) var file: String

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
            warnings.map { "warning: \($0)" } + ["\(file): valid"] + configuration.summary + issuers
                + ["what the stores enforce: run `presign doctor --config \(file)`"])
    }

    private func authenticator(
        _ configuration: AuthenticationConfiguration
    ) throws(CommandFailure) -> CallerAuthenticator {
        try reporting(errorsAs: .configuration) {
            try CallerAuthenticator(configuration, read: { try ReadableFile.contents(of: $0) })
        }
    }
}
