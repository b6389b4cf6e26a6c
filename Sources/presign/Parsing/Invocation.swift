/// What the words of a call come to.
package enum Invocation {
    /// To be run; its arguments are understood.
    case command(any Command)
    /// Help, or the version: for standard output.
    case text(String)
    /// What is wrong with the call, and the usage: for standard error.
    case mistake(String)

    /// - Parameters:
    ///   - words: as the shell passed them, without the program's name.
    ///   - commands: all that the program can do; the group has the program's name.
    ///   - version: what `--version` prints.
    package init(_ words: some Collection<String>, of commands: CommandGroup, version: String) {
        // `help NAME` is `NAME --help`.
        let asksForHelp = words.first == "help"
        let words = asksForHelp ? words.dropFirst() + ["--help"] : Array(words)
        self.init(words[...], of: .group(commands), calledAs: commands.title.name, version)
    }

    private init(
        _ words: ArraySlice<String>, of member: CommandGroup.Member, calledAs path: String, _ version: String
    ) {
        if case .group(let group) = member, let next = group.members.first(where: { $0.title.name == words.first }) {
            self.init(words.dropFirst(), of: next, calledAs: path + " " + next.title.name, version)
            return
        }
        var arguments = Arguments(words)
        let command: (any Command)? =
            switch member {
            case .command(let type): type.init(from: &arguments)
            case .group: nil
            }
        let help = HelpScreen(of: member, calledAs: path, taking: arguments.parameters)
        if arguments.has("--help", "-h") {
            self = .text(help.text)
            return
        }
        if arguments.has("--version") {
            self = .text(version + "\n")
            return
        }
        do throws(UsageError) {
            try arguments.finish()
            try command?.validate()
            // A group that is called without a name tells the names.
            self = command.map { .command($0) } ?? .text(help.text)
        } catch {
            self = .mistake(help.answer(to: error))
        }
    }
}
