import Glibc
import System
import Telemetry

/// The command. Exit codes: 0, 1 for a refusal or a difference that was asked about, 64 for a wrong call, 65 for input
/// that cannot be read, 71 when the system refuses (an address in use), 78 for a configuration that cannot be used
/// (sysexits.h).
@main
enum Presign {
    private static let commands = CommandGroup(
        CommandTitle(
            "presign",
            abstract: "Pre-signed URLs for S3-compatible storage: a service, and the same signing on the command line.",
            discussion: """
                EXAMPLES
                  presign serve --config config/presign.yaml
                  presign key new web
                  presign url cat.jpg --bucket acme-media --region eu-west-1
                  presign url PUT cat.jpg --config presign.yaml --output curl
                """),
        [
            .command(Serve.self), .command(URLCommand.self), .group(Key.commands), .command(CheckConfig.self),
            .command(Explain.self), .command(TestRules.self), .command(HealthCheck.self),
        ])

    static func main() {
        do {
            try StandardDescriptors.openClosed()
            switch Invocation(Environment.arguments, of: commands, version: "presign \(BuildInformation.version)") {
            case .command(let command): try command.run()
            case .text(let text): try printText(text)
            case .mistake(let text):
                // If nobody can be told, the exit code still tells.
                try? DescriptorWriter.standardError.write(Array(text.utf8))
                exit(CommandFailure.Kind.usage.rawValue)
            }
        } catch let failure as CommandFailure {
            exit(failure.report())
        } catch {
            exit(CommandFailure(.system, "\(error)").report())
        }
    }
}
