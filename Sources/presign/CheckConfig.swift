import ArgumentParser
import PresignService

/// `presign check-config FILE`: reads a configuration as `serve` would and says what it found.
struct CheckConfig: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check a configuration file; mistakes are named with line and column.",
        discussion: "EXAMPLE\n  presign check-config config/presign.yaml\n\nExit code 0 when it is usable, 78 when not."
    )

    @Argument(help: "The YAML configuration file.")
    var file: String

    func run() throws {
        try reportingFailure {
            let configuration = try ConfigurationFile.read(file)
            let warnings = configuration.warnings.map { "warning: \($0.description)" }
            try printLines(warnings + ["\(file): valid"] + configuration.summary)
        }
    }
}
