/// What is told about a command.
struct HelpScreen {
    private static let width = 80
    /// Where the right column of a list begins.
    private static let column = 26
    /// With more parameters than these the usage only says that there are options.
    private static let synopsisLimit = 12

    private let member: CommandGroup.Member
    private let path: String
    private let parameters: [Parameter]

    /// - Parameters:
    ///   - path: the words that call it.
    ///   - parameters: what it takes; nothing when it is a group.
    init(of member: CommandGroup.Member, calledAs path: String, taking parameters: [Parameter]) {
        self.member = member
        self.path = path
        self.parameters = parameters
    }

    /// What `--help` shows.
    var text: String {
        let title = member.title
        var parts = [Self.lines("OVERVIEW: " + title.abstract, width: Self.width).joined(separator: "\n")]
        if !title.discussion.isEmpty { parts.append(title.discussion) }
        parts.append("USAGE: " + synopsis)
        parts += lists
        if case .group = member {
            let words = path.split(separator: " ", maxSplits: 1)
            let names = (words.prefix(1) + ["help"] + words.dropFirst()).joined(separator: " ")
            parts.append("  See '\(names) <subcommand>' for detailed help.")
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// What is told when it was called wrongly.
    func answer(to error: UsageError) -> String {
        var lines = ["Error: " + error.message]
        if let parameter = error.parameter { lines.append("Help:  \(parameter.label)  \(parameter.help)") }
        lines += ["Usage: " + synopsis, "  See '\(path) --help' for more information."]
        return lines.joined(separator: "\n") + "\n"
    }

    private var synopsis: String {
        if case .group = member { return path + " <subcommand>" }
        let shown = parameters.count > Self.synopsisLimit ? parameters.filter { !$0.isOption } : parameters
        let options = shown.count < parameters.count ? ["[<options>]"] : []
        return ([path] + options + shown.map(\.synopsis)).joined(separator: " ")
    }

    private var lists: [String] {
        var lists = [Self.list("Arguments", parameters.filter { !$0.isOption }.map { ($0.label, $0.help) })]
        var sections: [String] = []
        for parameter in parameters where parameter.isOption && !sections.contains(parameter.section) {
            sections.append(parameter.section)
        }
        for section in sections where section != Parameter.defaultSection {
            lists.append(Self.list(section, options(of: section)))
        }
        let common = [("--version", "Show the version."), ("-h, --help", "Show help information.")]
        lists.append(Self.list(Parameter.defaultSection, options(of: Parameter.defaultSection) + common))
        if case .group(let group) = member {
            lists.append(Self.list("Subcommands", group.members.map { ($0.title.name, $0.title.abstract) }))
        }
        return lists.filter { !$0.isEmpty }
    }

    private func options(of section: String) -> [(String, String)] {
        parameters.filter { $0.isOption && $0.section == section }.map { ($0.label, $0.help) }
    }

    /// A title and two columns; nothing when there are no rows.
    private static func list(_ title: String, _ rows: [(label: String, text: String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let margin = String(repeating: " ", count: column)
        return rows.reduce(title.uppercased() + ":") { list, row in
            let label = "  " + row.label
            let text = lines(row.text, width: width - column).joined(separator: "\n" + margin)
            let fits = label.count < column
            return list + "\n" + label + (fits ? String(margin.dropFirst(label.count)) : "\n" + margin) + text
        }
    }

    /// Breaks a text between its words; a longer word has a line of its own.
    private static func lines(_ text: String, width: Int) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
    }
}
