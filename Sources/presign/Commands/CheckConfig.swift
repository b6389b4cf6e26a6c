import ArgumentParser
import CallerAuthentication
import ConfigurationReading
import HTTPClient
import PresignService
import System
import Telemetry

/// `presign check-config FILE`: validates a configuration and the files that it names.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check a configuration file and report every error with its line and column.",
        discussion: """
            The key and certificate files that the configuration names are read too. The
            audit file is opened for appending if it exists; it is not created. With
            --online, the keys of token issuers that have a URL are fetched. The stores get
            no request: `presign doctor` finds out what they enforce.

            EXAMPLES
              presign check-config config/presign.yaml
              presign check-config --online config/presign.yaml

            Exit code 0 if the configuration is valid, 78 if it is not, 1 if it is valid
            but keys could not be fetched.
            """)

    @Argument(help: "The YAML configuration file.", completion: .yaml) var file: String

    @Flag(help: "Fetch the keys of token issuers, too.") var online = false

    func run() throws {
        let configuration = try ConfigurationFile.read(file)
        let authenticator = try authenticator(configuration.authentication)
        _ = try reporting(errorsAs: .configuration) {
            try ShareLinks(
                configuration.shares, configuration.authentication, read: { try ReadableFile.contents(of: $0) })
        }
        try ServiceParts.checkFiles(of: configuration.existence)
        try ServiceParts.checkFiles(of: configuration.audit)
        let tls = try configuration.tls.map { try TLSReloader.loaded($0).settings }
        let warnings =
            configuration.warnings.map(\.description) + authenticator.warnings
            + (tls.map(TLSReloader.warnings) ?? [])
        try printLines(
            warnings.map { "warning: \($0)" } + ["\(file): valid"] + configuration.summary
                + authenticator.fileKeyIDs.map { Self.line(of: $0.issuer, ": keys", $0.keyIDs) }
                + ["what the stores enforce: run `presign doctor --config \(file)`"])
        try reportKeys(of: configuration.authentication.issuers.compactMap(\.keySource))
    }

    /// Prints where keys come from; with `--online`, the fetched keys or why they could not be fetched.
    private func reportKeys(of sources: [RemoteKeySource]) throws(CommandFailure) {
        var failures: [String] = []
        for source in sources {
            guard online else {
                try printLines(["tokens of \(source.issuerName): keys from \(source.url.text)"])
                continue
            }
            let keys: FetchedKeys
            do throws(IssuerKeyFailure) {
                keys = try RemoteKeyFetcher(source).fetch().keys
            } catch {
                failures.append(error.description)
                continue
            }
            try printLines(
                keys.warnings.map { "warning: \($0)" } + [
                    Self.line(of: source.issuerName, ": fetched keys", keys.keyIDs)
                ])
        }
        guard let first = failures.first else { return }
        throw CommandFailure(.refusal, first, further: Array(failures.dropFirst()))
    }

    private static func line(of issuer: String, _ kind: String, _ keyIDs: [String]) -> String {
        "tokens of \(issuer)" + (keyIDs.isEmpty ? "" : "\(kind) \(keyIDs.joined(separator: " "))")
    }

    private func authenticator(
        _ configuration: AuthenticationConfiguration
    ) throws(CommandFailure) -> CallerAuthenticator {
        try reporting(errorsAs: .configuration) {
            try CallerAuthenticator(
                configuration, keys: IssuerKeyPool(), read: { try ReadableFile.contents(of: $0) })
        }
    }
}
