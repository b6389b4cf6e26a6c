import ArgumentParser
import DataFormats
import Glibc
import PresignService
import ServiceRuntime
import System

/// The `presign` command.
///
/// Exit codes (sysexits.h): 0 success, 1 a refusal or a failed check, 2 narrower rules (`diff-rules --exact`), 3 a check
/// that was not possible, 64 a usage error, 65 unreadable input, 71 an error of the operating system such as an address
/// in use, 78 an invalid configuration.
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
        version: "presign \(ServiceConfiguration.version)",
        subcommands: [
            Serve.self, URLCommand.self, Key.self, CheckConfig.self, DoctorCommand.self, Explain.self, TestRules.self,
            DiffRules.self, HealthCheck.self,
        ])

    /// Replaces the library's `Error: `, so that all error messages start alike.
    static let _errorPrefix = "presign: "

    static func main() {
        do {
            try StandardDescriptors.openClosed()
            let words = Environment.arguments
            // Before any thread starts, because threads inherit the mask. A signal that arrives during the start stays
            // pending until the command receives it.
            let observers = [Serve.configuration.commandName, DoctorCommand.configuration.commandName]
            if observers.contains(words.first) { _ = ProcessSignals() }
            try CommandNames.check(words, in: Self.self)
            try run(parseAsRoot(words))
        } catch {
            Glibc.exit(report(error))
        }
    }

    /// Runs a command and adds its usage to a usage error.
    ///
    /// Commands check their arguments in `run`, not in `validate`: the library calls `validate` before it reports unknown
    /// options, which would hide the suggestion for a typo.
    private static func run(_ command: any ParsableCommand) throws {
        var command = command
        do {
            try command.run()
        } catch let error as ValidationError {
            throw ProgramFailure(.usage, error.message, usage: usageString(for: type(of: command)))
        }
    }

    /// Prints the error and returns the exit code. The library throws help, version and completion scripts too.
    private static func report(_ error: any Error) -> Int32 {
        if let failure = error as? ProgramFailure { return failure.report() }
        let message = fullMessage(for: error)
        switch exitCode(for: error) {
        case .success:
            do {
                try printLines([message])
                return ExitCode.success.rawValue
            } catch {
                return error.report()
            }
        case .validationFailure:
            // If standard error is closed, the exit code remains.
            try? DescriptorWriter.standardError.write(Array((message + "\n").utf8))
            return ProgramFailure.Kind.usage.rawValue
        default:
            return ProgramFailure(.system, "\(error)").report()
        }
    }
}

/// Checks the names of commands before the library parses them: it reports an unknown one as an unexpected argument,
/// without a suggestion.
enum CommandNames {
    /// What to run instead of commands that other tools have.
    private static let transfers = [
        "upload": "for a curl command that uploads, run 'presign url PUT PATH --output curl'",
        "download": "for a curl command that downloads, run 'presign url PATH --output curl'",
    ]

    /// - Parameters:
    ///   - words: the arguments after the program's name.
    ///   - root: the command that they are passed to.
    /// - Throws: a usage error with the nearest name, or else with all names, if a subcommand's name is unknown.
    static func check(_ words: [String], in root: any ParsableCommand.Type) throws(ProgramFailure) {
        var subcommands = root.configuration.subcommands
        for word in words where word != "help" {
            if subcommands.isEmpty || word.hasPrefix("-") { return }
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                let hint =
                    Suggestion.nearest(to: word, among: names).map { "did you mean '\($0)'?" }
                    ?? "the commands are \(names.joined(separator: ", "))"
                throw ProgramFailure(.usage, "unknown command '\(word)'; \(transfers[word] ?? hint)")
            }
            subcommands = next.configuration.subcommands
        }
    }
}
