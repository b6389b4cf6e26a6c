import ArgumentParser
import Glibc
import PresignTools
import ServiceRuntime

/// `presign diff-rules OLD NEW`: prints what each of two files allows that the other refuses.
struct DiffRules: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff-rules",
        abstract: "Find requests that one file of access rules allows and another refuses.",
        discussion: """
            OLD and NEW are configurations, or files with rules only, as for
            `presign explain`. Every finding is a request that `explain` allows under one
            file and refuses under the other, or for which one signs more than the other,
            followed by the deciding rules. The search is complete: it covers every
            caller, path, action and limit.

            What is not compared, such as the bucket of a store, is printed if it differs.

            Exit code 0 if NEW allows nothing that OLD refuses, 1 if it does; 2 with
            --exact, if only OLD allows more; 3 if there are too many combinations for 10
            seconds of a processor; 78 if a file is invalid.

            EXAMPLE
              git show main:presign.yaml > old.yaml
              presign diff-rules old.yaml presign.yaml
            """)

    /// How many findings are printed without `--all`, of each kind.
    private static let most = 20
    /// Microseconds of a processor, so that the result does not depend on what else the machine does.
    private static let time = 10_000_000

    @Flag(help: "Print all findings instead of 20.") var all = false
    @Flag(help: "Exit with 2 if NEW only refuses more.") var exact = false
    @Flag(help: "Print one JSON object per line.") var json = false
    @Argument(help: "The file before the change.", completion: .yaml) var old: String
    @Argument(help: "The file after the change.", completion: .yaml) var new: String

    func run() throws {
        let files = [try ConfigurationFile.rules(old), try ConfigurationFile.rules(new)]
        let end = clock() + Self.time
        let comparison = try reporting(errorsAs: .unchecked) {
            try PolicyComparison(files[0], files[1], names: [old, new]) { clock() > end }
        }
        try printLines(comparison.lines(atMost: all ? .max : Self.most, json: json))
        if !comparison.wider.isEmpty { throw ProgramFailure.refusal }
        if exact, !comparison.narrower.isEmpty { throw ProgramFailure(.narrower, "") }
    }
}
