import ArgumentParser
import PresignTools
import ServiceRuntime
import System

/// `presign test-rules FILE`: runs rule tests from a file.
struct TestRules: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-rules",
        abstract: "Run tests of the access rules from a file and print each difference on a line.",
        discussion: """
            FILE is a list of cases in JSON or YAML:

              [{"name": "guests read",
                "request": {"who": null, "action": "get", "path": "public/a.png"},
                "expect": {"status": 200, "rule": "public/**"}}]

            `request` is the same as in `presign explain --batch`. `expect` requires
            `status`; `rule`, `reason`, `fields`, `expiresIn`, `window`, `ifNoneMatch`
            and `headers` are optional. Instead of the list, FILE can be a mapping
            {config: RULES, cases: [...]}, whose `config` is relative to FILE.

            Exit code 0 if all cases pass, 1 if one differs, 78 if a file is invalid.

            EXAMPLE
              presign test-rules rules.test.json --config presign.yaml
            """)

    @Option(
        help: "The configuration, or a file with rules only (default: `config` of FILE).", completion: .yaml)
    var config: String?
    @Argument(help: "The file of test cases.", completion: .file(extensions: ["json", "yaml", "yml"])) var file: String

    func run() throws {
        let tests = try tests()
        guard let path = config ?? tests.configuration.map(resolved) else {
            throw ProgramFailure(.usage, "no rules to test: pass --config, or set `config` in \(file)")
        }
        let rules = try ConfigurationFile.rules(path)
        var lines: [String] = []
        for test in tests.cases {
            let differences = test.differences(from: rules.verdict(on: test.request))
            lines += differences.map { "\(test.title): \($0)".printable }
        }
        try printLines(lines + ["\(count(tests.cases.count, "case")), \(count(lines.count, "difference"))"])
        guard lines.isEmpty else { throw ProgramFailure.refusal }
    }

    private func tests() throws(ProgramFailure) -> RuleTestFile {
        try reporting(errorsAs: .configuration) {
            try RuleTestFile(parsing: try ReadableFile.contents(of: file, limit: 1 << 26), file: file)
        }
    }

    /// Resolves a path relative to the file of test cases.
    private func resolved(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return file[...slash] + path
    }
}
