import CallerAuthentication

/// `presign key`: what concerns API keys.
enum Key {
    static let commands = CommandGroup(CommandTitle("key", abstract: "Make API keys."), [.command(New.self)])

    /// `presign key new ID`: the key goes to standard output once and is kept nowhere.
    struct New: Command {
        static let title = CommandTitle(
            "new",
            abstract: "Make an API key; print it once, and the hash to put in the configuration.",
            discussion: """
                The key itself is printed on the first line and stored nowhere; hand it to the
                caller. The hash goes into the configuration:

                  auth:
                    apiKeys:
                      - {id: ID, hashes: ["sha256:..."]}

                To rotate a key, make a second one for the same id and list both hashes until
                the old one is gone.
                """)

        private let id: String

        init(from arguments: inout Arguments) {
            id = arguments.word("id", help: "The key's public name: 1 to 64 of A-Z a-z 0-9 . _ -")
        }

        func validate() throws(UsageError) {
            guard APIKey.isValidID(id.utf8) else { throw UsageError("ID must be 1 to 64 of A-Z a-z 0-9 . _ -") }
        }

        func run() throws {
            let key: String
            do {
                key = try APIKey.generate(id: id)
            } catch {
                throw CommandFailure(.system, "\(error)")
            }
            try printLines([key, APIKey.storedHash(of: Array(key.utf8))])
        }
    }
}
