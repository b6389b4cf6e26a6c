import ArgumentParser
import PresignService
import ServiceRuntime
import Testing

@testable import presign

@Suite("The command line")
struct CommandLineTests {
    private static func command(_ line: String) throws -> any ParsableCommand {
        try Presign.parseAsRoot(line.split(separator: " ").map { $0 == "''" ? "" : String($0) })
    }

    private static let names = "serve, url, key, check-config, doctor, explain, test-rules, diff-rules, healthcheck"

    @Test(
        "An unknown command gets the nearest name, or all names",
        arguments: [
            ("srve", "unknown command 'srve'; did you mean 'serve'?"),
            ("help srve", "unknown command 'srve'; did you mean 'serve'?"),
            ("chekc-config a.yaml", "unknown command 'chekc-config'; did you mean 'check-config'?"),
            ("key nwe web", "unknown command 'nwe'; did you mean 'new'?"),
            ("key revoke web", "unknown command 'revoke'; the commands are new"),
            ("uplod", "unknown command 'uplod'; the commands are \(names)"),
            (
                "upload FILE",
                "unknown command 'upload'; for a curl command that uploads, run 'presign url PUT PATH --output curl'"
            ),
            (
                "download a",
                "unknown command 'download'; for a curl command that downloads, run 'presign url PATH --output curl'"
            ),
        ])
    func unknownCommand(_ line: String, _ message: String) throws {
        let error = try #require(throws: ProgramFailure.self) {
            try CommandNames.check(line.split(separator: " ").map(String.init), in: Presign.self)
        }
        #expect(error.kind == .usage && error.description == message)
    }

    @Test(
        "A known command is accepted with any arguments",
        arguments: ["", "serve", "help", "help key new", "key new web", "url srve", "--version", "--bogus srve"])
    func knownCommand(_ line: String) throws {
        try CommandNames.check(line.split(separator: " ").map(String.init), in: Presign.self)
    }

    @Test(
        "A usage error has the exit code 64 and explains itself",
        arguments: [
            ("serve", "--config FILE is required, or --local DIR"),
            ("serve --local ''", "--local requires the name of a directory"),
            ("serve --local d --cors-origin http://a/", "--cors-origin: "),
            ("serve --local d --listen nonsense", "The value 'nonsense' is invalid for '--listen <address>'"),
            ("serve --confg a", "Did you mean '--config'?"),
            ("check-config", "Missing expected argument '<file>'"),
            ("healthcheck --tls", "--tls requires --address"),
            ("key new a/b", "the id 'a/b' must have 1 to 64 of the characters"),
            ("url", "a path is required, or --batch"),
            ("url --list a/ b", "--list cannot be combined with a method or a path"),
            ("url a --max-keys 5", "--start-after and --continuation-token require --list"),
            ("url --batch --list a/", "--batch reads its requests from standard input"),
            ("url --list s3:///", "s3:/// must name a bucket and a key"),
            ("url get", "get is a method; add the path, or write `GET get`"),
            ("url COPY a", "COPY is not a method; the methods are GET, PUT, HEAD, DELETE, POST"),
            ("url s3://bucket", "s3://bucket must name a bucket and a key: s3://BUCKET/KEY"),
            ("url put s3:///a", "s3:///a must name a bucket and a key"),
            ("url a b c", "Unexpected argument 'c'"),
            ("url a --expires-in soon", "it must be a duration such as 900, 90s, 15m, 12h or 7d"),
            ("url a --expires-in 700000", "it must be a duration"),
            ("url a --expires-in 8d", "12h or 7d, at most 7 days"), ("url a --expires-in 604800d", "at most 7 days"),
            ("url a --expires-in 169h", "at most 7 days"),
            ("url a --expires-in 9223372036854775807d", "at most 7 days"),
            ("url a --output xml", "Please provide one of 'url', 'json' or 'curl'."),
            ("url a --part-size 8m", "--part-size requires --output curl and --part-number"),
            ("url --batch a", "--batch reads its requests from standard input"),
            ("url --batch --output json", "--batch reads its requests from standard input"),
            ("url --batch --part-number 1", "--batch reads its requests from standard input"),
            ("explain --config c", "an action and a path are required, or --batch"),
            ("explain --config c get a", "one caller is required: --guest, --caller ID, --certificate NAME, or"),
            ("explain --config c --guest --identity x get a", "one caller is required"),
            ("explain --config c --caller k --group g get a", "one caller is required"),
            ("explain --config c --claim a get a", "it must be NAME=VALUE"),
            ("explain --config c --batch --guest", "--batch reads its requests from standard input"),
            ("explain --config c --guest rede a", "it must be get, list, write, delete, multipart, or read"),
            ("explain --config c --guest get a --step part", "--step requires the action multipart"),
            ("explain --config c --guest get a --checksum md5", "it must be sha256"),
            ("explain --config c --guest get a --override a=b", "it must be NAME=VALUE; the names are"),
            ("explain --config c --batch --store s", "--batch reads its requests from standard input"),
            ("explain --guest get a", "Missing expected argument '--config <config>'"),
        ])
    func usageError(_ line: String, _ message: String) throws {
        let error = try #require(throws: (any Error).self) {
            var command = try Self.command(line)
            try command.run()
        }
        let text = Presign.fullMessage(for: error, columns: 80)
        #expect(Presign.exitCode(for: error) == .validationFailure)
        #expect(text.hasPrefix("presign: ") && text.contains(message) && text.contains("Usage: presign "), "\(text)")
    }

    @Test(
        "Help names the options, `--version` the version",
        arguments: [
            ("--help", "check-config"), ("help serve", "--cors-origin <origin>"), ("serve --help", "--local-listen"),
            ("url -h", "presign url --batch [<options>]"), ("key new --help", "presign key new <id>"),
            ("explain --help", "(values: create,"), ("--version", "presign "),
            ("serve --version", "presign "),
        ])
    func help(_ line: String, _ part: String) throws {
        let error = try #require(throws: (any Error).self) {
            var command = try Self.command(line)
            try command.run()
        }
        #expect(Presign.exitCode(for: error) == .success)
        let text = Presign.fullMessage(for: error, columns: 80)
        #expect(text.contains(part), "\(text)")
    }

    @Test("The text of help has lines of at most 79 columns, so that a terminal of 80 does not break them")
    func helpWidth() {
        for command in [Presign.self] + Presign.configuration.subcommands + Key.configuration.subcommands {
            let lines = command.configuration.discussion.split(separator: "\n")
            #expect(lines.filter { $0.count > 79 }.isEmpty, "\(command)")
        }
    }

    @Test("Completion scripts name commands and options", arguments: ["bash", "zsh", "fish"])
    func completions(_ shell: String) throws {
        let error = try #require(throws: (any Error).self) {
            try Self.command("--generate-completion-script \(shell)")
        }
        let script = Presign.fullMessage(for: error)
        #expect(Presign.exitCode(for: error) == .success)
        #expect(script.contains("healthcheck") && script.contains("local-listen"))
    }

    @Test("A secret is not an option, because every user of the machine can list processes")
    func secrets() {
        for command in Presign.configuration.subcommands + Key.configuration.subcommands {
            let help = command.helpMessage(includeHidden: true, columns: 80).lowercased()
            for word in ["--secret", "--api-key", "--token", "--session-token", "--access-key", "--password"] {
                #expect(!help.contains(word), "\(command): \(word)")
            }
        }
    }
}
