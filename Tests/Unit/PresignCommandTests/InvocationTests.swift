import Testing
import presign

@Suite("What a call comes to")
struct InvocationTests {
    private struct Copy: Command {
        static let title = CommandTitle(
            "copy", abstract: "Copy one thing to another place, or to a third.", discussion: "EXAMPLE\n  tool copy a b")

        let speed: Int64?
        let names: [String]

        init(from arguments: inout Arguments) {
            speed = arguments.number("speed", help: "How fast this is to be, in things a second; slow when left out.")
            arguments.section = "Where to"
            _ = arguments.option("a-rather-long-option", "place", help: "There.")
            names = arguments.words("names", help: "What.")
        }

        func validate() throws(UsageError) {
            guard speed != 13 else { throw UsageError("never 13") }
        }

        func run() throws {}
    }

    private static let commands = CommandGroup(
        CommandTitle("tool", abstract: "A tool."),
        [
            .command(Copy.self),
            .group(CommandGroup(CommandTitle("more", abstract: "More of it."), [.command(Copy.self)])),
        ])

    private static func outcome(_ line: String) -> String {
        switch Invocation(line.split(separator: " ").map(String.init), of: commands, version: "tool 1") {
        case .command(let command): "\((command as? Copy)?.names ?? [])"
        case .text(let text): text
        case .mistake(let text): "mistake\n" + text
        }
    }

    @Test(
        "A command is found by its words",
        arguments: [
            ("copy a b", #"["a", "b"]"#), ("more copy copy", #"["copy"]"#), ("copy -- --help", #"["--help"]"#),
            ("--version", "tool 1\n"), ("copy --version", "tool 1\n"), ("more --version", "tool 1\n"),
        ])
    func commands(_ line: String, _ outcome: String) {
        #expect(Self.outcome(line) == outcome)
    }

    @Test(
        "A wrong call is told its usage",
        arguments: [
            ("paste", "Unexpected argument 'paste'", "tool <subcommand>", "tool"),
            ("--speed 1 copy", "Unknown option '--speed'", "tool <subcommand>", "tool"),
            ("more paste", "Unexpected argument 'paste'", "tool more <subcommand>", "tool more"),
            ("copy --fast", "Unknown option '--fast'", Self.synopsis, "tool copy"),
            ("copy --speed 13", "never 13", Self.synopsis, "tool copy"),
        ])
    func mistakes(_ line: String, _ message: String, _ usage: String, _ path: String) {
        #expect(
            Self.outcome(line)
                == "mistake\nError: \(message)\nUsage: \(usage)\n  See '\(path) --help' for more information.\n")
    }

    private static let synopsis = "tool copy [--speed <speed>] [--a-rather-long-option <place>] [<names> ...]"

    @Test("A parameter that was given wrongly is explained") func explained() {
        #expect(
            Self.outcome("copy --speed x").hasPrefix(
                """
                mistake
                Error: The value 'x' is invalid for '--speed <speed>'
                Help:  --speed <speed>  How fast this is to be, in things a second; slow when left out.
                Usage: tool copy 
                """))
    }

    @Test(
        "Help tells all",
        arguments: ["copy --help", "copy -h", "copy --speed x --help", "help copy", "copy a --help b"])
    func help(_ line: String) {
        #expect(
            Self.outcome(line) == """
                OVERVIEW: Copy one thing to another place, or to a third.

                EXAMPLE
                  tool copy a b

                USAGE: \(Self.synopsis)

                ARGUMENTS:
                  <names>                 What.

                WHERE TO:
                  --a-rather-long-option <place>
                                          There.

                OPTIONS:
                  --speed <speed>         How fast this is to be, in things a second; slow when
                                          left out.
                  --version               Show the version.
                  -h, --help              Show help information.

                """)
    }

    @Test("Help on a group names its members", arguments: ["more", "more --help", "help more", "help more nothing"])
    func groupHelp(_ line: String) {
        #expect(
            Self.outcome(line) == """
                OVERVIEW: More of it.

                USAGE: tool more <subcommand>

                OPTIONS:
                  --version               Show the version.
                  -h, --help              Show help information.

                SUBCOMMANDS:
                  copy                    Copy one thing to another place, or to a third.

                  See 'tool help more <subcommand>' for detailed help.

                """)
    }
}
