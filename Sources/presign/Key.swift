import ArgumentParser
import PresignService
import SystemInterface

/// `presign key`: what concerns API keys.
struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make API keys.", subcommands: [New.self])

    /// `presign key new ID`: the key goes to standard output once and is kept nowhere.
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an API key; print it once, and the hash to put in the configuration.",
            discussion: """
                The key itself is printed on the first line and stored nowhere; hand it to the caller. The hash goes
                into the configuration:

                  auth:
                    apiKeys:
                      - {id: ID, hashes: ["sha256:..."]}

                To rotate a key, make a second one for the same id and list both hashes until the old one is gone.
                """)

        @Argument(help: "The key's public name: 1 to 64 of A-Z a-z 0-9 . _ -")
        var id: String

        func validate() throws {
            guard APIKey.isValidID(id.utf8) else {
                throw ValidationError("ID must be 1 to 64 of A-Z a-z 0-9 . _ -")
            }
        }

        func run() throws {
            try reportingFailure {
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
}

/// Writes lines to standard output at once; a reader that is gone is a failure, not a crash.
func printLines(_ lines: [String]) throws(CommandFailure) {
    do {
        try DescriptorWriter.standardOutput.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    } catch {
        throw CommandFailure(.system, "cannot write to standard output: \(error)")
    }
}
