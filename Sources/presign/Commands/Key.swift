import ArgumentParser
import PresignService
import Requests
import ServiceRuntime
import System

/// `presign key`: commands for API keys.
struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Generate API keys, and keys for share links.", subcommands: [New.self])

    /// `presign key new ID`: generates an API key and prints it with its hash; stores neither.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Generate an API key and print it once, with the hash for the configuration.",
            usage: """
                presign key new <id>
                presign key new --share
                """,
            discussion: """
                The first line is the key: give it to the caller. presign does not store it and
                cannot show it again. The second line is its hash, for the configuration:

                  auth:
                    apiKeys:
                      - {id: ID, hashes: ["sha256:..."]}

                To rotate a key, generate another one for the same id and list both hashes
                until no caller uses the old key.

                On a terminal both lines are labelled; otherwise they are the bare values.

                With --share it generates a key that seals share links and prints only that.
                Write it to a file that only presign can read, and name the file:

                  shares:
                    keys:
                      - {id: 2026-11, file: /etc/presign/share-2026-11.key}

                EXAMPLES
                  (umask 077; presign key new web > web.key)
                  (umask 077; presign key new --share > share-2026-11.key)
                """)

        @Argument(help: "The key's public name: 1 to 64 of A-Z a-z 0-9 . _ -") var id: String?
        @Flag(help: "Generate a key for share links instead of an API key.") var share = false

        /// Returns the id of the API key; nil for a share key.
        private func checkedID() throws(ValidationError) -> String? {
            guard let id else {
                guard share else { throw ValidationError("an id is required, or --share") }
                return nil
            }
            guard !share else { throw ValidationError("--share accepts no id; the configuration gives the key one") }
            guard ServiceConfiguration.isValidKeyID(id) else {
                throw ValidationError("the id '\(id)' must have 1 to 64 of the characters A-Z a-z 0-9 . _ -")
            }
            return id
        }

        func run() throws {
            guard let id = try checkedID() else {
                return try printLines([try reporting(errorsAs: .system) { try ShareKey.generate() }])
            }
            let (key, hash) = try reporting(errorsAs: .system) { try ServiceConfiguration.generateKey(id: id) }
            try printLines(lines(id: id, key: key, hash: hash, isTerminal: DescriptorWriter.standardOutput.isTerminal))
        }

        /// Returns the output: labelled for a person, the bare values for a script.
        func lines(id: String, key: String, hash: String, isTerminal: Bool) -> [String] {
            guard isTerminal else { return [key, hash] }
            return [
                "key:  \(key)", "hash: \(hash)", "", "Give the key to the caller; it is not shown again.",
                "Put the hash into the configuration:", "", "  auth:", "    apiKeys:",
                "      - {id: \(id), hashes: [\"\(hash)\"]}",
            ]
        }
    }
}
