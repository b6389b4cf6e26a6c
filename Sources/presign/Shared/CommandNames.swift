import ArgumentParser
import ConfigurationReading

/// Checks the names of commands before the library parses them: it reports an unknown one as an unexpected argument,
/// without a suggestion.
enum CommandNames {
    /// - Parameters:
    ///   - words: the arguments after the program's name.
    ///   - root: the command that they are passed to.
    /// - Throws: a usage error with the nearest name, or else with all names, if a subcommand's name is unknown.
    static func check(_ words: [String], in root: any ParsableCommand.Type) throws(CommandFailure) {
        var subcommands = root.configuration.subcommands
        for word in words where word != "help" {
            if subcommands.isEmpty || word.hasPrefix("-") { return }
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                let hint =
                    Suggestion.nearest(to: word, among: names).map { "did you mean '\($0)'?" }
                    ?? "the commands are \(names.joined(separator: ", "))"
                throw CommandFailure(.usage, "unknown command '\(word)'; \(hint)")
            }
            subcommands = next.configuration.subcommands
        }
    }
}
