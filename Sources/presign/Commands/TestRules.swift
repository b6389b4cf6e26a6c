import PresignTools
import System

/// `presign test-rules FILE`: holds the access rules to a file of cases.
struct TestRules: Command {
    static let title = CommandTitle(
        "test-rules",
        abstract: "Hold the access rules to a file of cases; differences are named one a line.",
        discussion: """
            FILE is a list of cases in JSON or YAML:

              [{"name": "guests read",
                "request": {"who": null, "action": "get", "path": "public/a.png"},
                "expect": {"status": 200, "rule": "public/**"}}]

            `request` is as in `presign explain --batch`; `expect` has `status`, and if
            wanted `rule`, `reason`, `fields`, `expiresIn` and `ifNoneMatch`. Instead of the
            list there may be a mapping {config: RULES, cases: [...]}, whose `config` is
            relative to FILE.

            Exit code 0 when all is as expected, 1 when something differs, 78 when a file
            cannot be used.

            EXAMPLE
              presign test-rules rules.test.json --config presign.yaml
            """)

    private let config: String?
    private let file: String

    init(from arguments: inout Arguments) {
        config = arguments.option(
            "config", help: "The configuration, or a file with rules only (default: the one that FILE names).")
        file = arguments.word("file", help: "The cases.")
    }

    func run() throws {
        let tests = try tests()
        guard let path = config ?? tests.configuration.map(beside) else {
            throw CommandFailure(.usage, "give --config, or name the rules in \(file) as `config`")
        }
        let rules = try ConfigurationFile.rules(path)
        var lines: [String] = []
        for test in tests.cases {
            let differences = test.differences(from: rules.verdict(on: test.request))
            lines += differences.map { "\(test.title): \($0)".printable }
        }
        try printLines(lines + ["\(count(tests.cases.count, "case")), \(count(lines.count, "difference"))"])
        guard lines.isEmpty else { throw CommandFailure.refusal }
    }

    private func tests() throws(CommandFailure) -> RuleTestFile {
        do {
            return try RuleTestFile(parsing: try ReadableFile.contents(of: file, limit: 1 << 26), file: file)
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    /// A path as the file of cases means it.
    private func beside(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return file[...slash] + path
    }
}
