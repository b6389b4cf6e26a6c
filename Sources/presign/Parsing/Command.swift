/// What a command is called, and what is said of it.
package struct CommandTitle: Sendable {
    let name: String
    let abstract: String
    let discussion: String

    /// - Parameters:
    ///   - name: the word that calls it.
    ///   - abstract: one sentence.
    ///   - discussion: shown as it is, so its lines have at most 80 columns.
    package init(_ name: String, abstract: String, discussion: String = "") {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
    }
}

/// A command: what it takes, and what it does.
package protocol Command: SendableMetatype {
    /// The word that calls it, and what help says.
    static var title: CommandTitle { get }

    /// Declares what it takes by reading it.
    init(from arguments: inout Arguments)

    /// Refuses values that are of the right form, but wrong, or do not go together.
    func validate() throws(UsageError)

    /// Does it; called once, after `validate`.
    func run() throws
}

extension Command {
    /// Takes all values that are of the right form.
    package func validate() throws(UsageError) {}
}

/// Commands that are called by name.
package struct CommandGroup: Sendable {
    /// One of a group.
    package enum Member: Sendable {
        case command(any Command.Type)
        case group(CommandGroup)

        var title: CommandTitle {
            switch self {
            case .command(let command): command.title
            case .group(let group): group.title
            }
        }
    }

    let title: CommandTitle
    let members: [Member]

    /// - Parameter members: in the order in which help lists them.
    package init(_ title: CommandTitle, _ members: [Member]) {
        self.title = title
        self.members = members
    }
}
