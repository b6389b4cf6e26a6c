import ArgumentParser
import PresignService
import SystemInterface

/// The command. Exit codes: 0, 1 for a refusal or a difference that was asked about, 64 for a wrong call, 65 for input
/// that cannot be read, 71 when the system refuses (an address in use), 78 for a configuration that cannot be used
/// (sysexits.h).
@main
struct Presign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presign",
        abstract: "Pre-signed URLs for S3-compatible storage: a service, and the same signing on the command line.",
        discussion: """
            EXAMPLES
              presign serve --config config/presign.yaml
              presign key new web
              presign url cat.jpg --bucket acme-media --region eu-west-1
              presign url PUT cat.jpg --config presign.yaml --output curl
            """,
        version: "presign \(BuildInformation.version)",
        subcommands: [
            Serve.self, URLCommand.self, Key.self, CheckConfig.self, Explain.self, TestRules.self, HealthCheck.self,
        ])

    static func main() {
        // Before anything else: a signal to the service waits from here on until somebody looks. The other commands end by
        // it, as commands do.
        if CommandLine.arguments.dropFirst().first == "serve" { ProcessSignals.block() }
        main(nil)
    }
}

/// Where the configuration is, for every command that reads it.
struct ConfigurationOption: ParsableArguments {
    @Option(name: .long, help: "The YAML configuration file.")
    var config: String
}

/// An end of the command with one line on standard error.
struct CommandFailure: Error, CustomStringConvertible {
    enum Kind: Int32 {
        case usage = 64
        case data = 65
        case system = 71
        case configuration = 78
    }

    let kind: Kind
    let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Says so and ends: never a backtrace, never a second line.
    func exit() -> ExitCode {
        let line = description.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
        // When standard error itself is gone there is nobody left to tell; the exit code still does.
        try? DescriptorWriter.standardError.write(Array("presign: \(line)\n".utf8))
        return ExitCode(kind.rawValue)
    }
}

extension ParsableCommand {
    /// Runs `body` and turns its failure into the line and the code.
    func reportingFailure(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as CommandFailure {
            throw failure.exit()
        }
    }
}
