import ArgumentParser
import PresignService
import ServiceRuntime

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
        let check = try ConfigurationCheck(configuration)
        try printLines(
            check.warnings.map { "warning: \($0)" } + ["\(file): valid"] + configuration.summary
                + check.fileKeys.map { Self.line(of: $0.issuer, ": keys", $0.keyIDs) }
                + ["what the stores enforce: run `presign doctor --config \(file)`"])
        guard online else {
            return try printLines(check.remoteKeys.map { "tokens of \($0.issuer): keys from \($0.url)" })
        }
        let failures = try check.fetchKeys { issuer, ids, warnings throws(ProgramFailure) in
            try printLines(warnings.map { "warning: \($0)" } + [Self.line(of: issuer, ": fetched keys", ids)])
        }
        guard let first = failures.first else { return }
        throw ProgramFailure(.refusal, first, further: Array(failures.dropFirst()))
    }

    private static func line(of issuer: String, _ kind: String, _ keyIDs: [String]) -> String {
        "tokens of \(issuer)" + (keyIDs.isEmpty ? "" : "\(kind) \(keyIDs.joined(separator: " "))")
    }
}
