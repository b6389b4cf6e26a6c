import ArgumentParser
import TestSupport
import Testing

@testable import presign

/// Compares the guide's CommandLine.md with `--help`.
@Suite("The command line reference", .enabled(if: (try? MarkdownDocument.page("CommandLine.md")) != nil))
struct CommandReferenceTests {
    /// Every command with its words, such as `key new`.
    private static func commands(
        of parent: any ParsableCommand.Type = Presign.self, _ words: [String] = []
    ) -> [(name: String, type: any ParsableCommand.Type)] {
        parent.configuration.subcommands.flatMap { command in
            let name = words + [command.configuration.commandName ?? ""]
            return [(name.joined(separator: " "), command)] + commands(of: command, name)
        }
    }

    /// The long options that `--help` lists.
    private static func options(of command: any ParsableCommand.Type) -> Set<String> {
        let help = command.helpMessage(includeHidden: false, columns: 80)
        return Set(help.matches(of: /\n  (?:-[a-z], )?(--[a-z0-9-]+)/).map { String($0.output.1) })
    }

    /// The section whose heading names a command, or the whole page.
    private static func section(of name: String, in page: MarkdownDocument) -> String {
        let heading = page.headings.first { heading in
            let title = heading.title.replacing("`", with: "")
            return heading.level > 1 && (title == name || title.hasPrefix("presign \(name)"))
        }
        return heading.map(page.section) ?? page.text
    }

    @Test("Every command, and every option in its section")
    func options() throws {
        let page = try #require(try MarkdownDocument.page("CommandLine.md"))
        var all = Self.options(of: Presign.self)
        for (name, command) in Self.commands() {
            #expect(page.text.contains("presign \(name)"), "presign \(name)")
            let section = Self.section(of: name, in: page)
            let options = Self.options(of: command)
            all.formUnion(options)
            // Every command has `--help` and `--version`.
            for option in options.subtracting(["--help", "--version"]) {
                let isNamed = section.matches(of: /--[a-z0-9-]+/).contains { $0.output == option }
                #expect(isNamed, "presign \(name) \(option)")
            }
        }
        #expect(page.text.contains("--version") && (page.text.contains("--help") || page.text.contains("presign help")))
        #expect(all.count >= 25)
        for row in page.tableKeys where row.key.hasPrefix("--") {
            let option = String(row.key.prefix { $0 != " " && $0 != "=" })
            #expect(
                all.contains(option) || option == "--generate-completion-script",
                "CommandLine.md:\(row.line): there is no option \(option)")
        }
    }
}
