import Foundation
import TestSupport
import Testing

@Suite("diff-rules", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct DiffRulesTests {
    private static let narrow = "rules: [{path: \"u/**\", allow: {authenticated: [write]}, write: {maxSize: 25m}}]\n"
    private static let wide = "rules: [{path: \"u/**\", allow: {authenticated: [write]}, write: {maxSize: 100m}}]\n"

    private func run(_ options: [String], _ old: String, _ new: String) async throws -> Command.Result {
        try await measured(options, old, new).run
    }

    /// The result, and what the comparison took: seconds of a processor, and MiB.
    private func measured(
        _ options: [String], _ old: String, _ new: String
    ) async throws -> (run: Command.Result, seconds: Double, memory: Double) {
        let script = """
            import resource, subprocess, sys
            code = subprocess.run(sys.argv[2:]).returncode
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, end="", file=open(sys.argv[1], "w"))
            sys.exit(code)
            """
        return try await withTemporaryDirectory { folder in
            for (name, text) in [("old.yaml", old), ("new.yaml", new)] {
                try Data(text.utf8).write(to: folder.appending(path: name))
            }
            let files = ["figures", "old.yaml", "new.yaml"].map { folder.appending(path: $0).path() }
            let command = [try #require(PresignProcess.binary), "diff-rules"] + options + files.dropFirst()
            let run = try await ConcurrencyLimit.tests.pass {
                try await Command.run("/usr/bin/python3", ["-c", script, files[0]] + command)
            }
            let figures = try String(contentsOfFile: files[0], encoding: .utf8).split(separator: " ")
            return (run, try #require(Double(figures[0])), try #require(Double(figures[1])))
        }
    }

    @Test(
        "The exit code says which file allows more",
        arguments: [
            ([], narrow, narrow, 0), (["--exact"], narrow, narrow, 0), ([], narrow, wide, 1),
            (["--exact"], narrow, wide, 1), ([], wide, narrow, 0), (["--exact"], wide, narrow, 2),
            ([], narrow, "rules: [{}]", 78), (["--bogus"], narrow, narrow, 64),
        ] as [([String], String, String, Int32)])
    func exitCode(options: [String], old: String, new: String, code: Int32) async throws {
        let run = try await run(options, old, new)
        #expect(run.status == code, "\(run)")
    }

    @Test("With --json each line is an object whose request explain decides as it says")
    func json() async throws {
        let run = try await run(["--json"], Self.narrow, Self.wide)
        let lines = try run.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.count == 1 && lines[0]["change"] as? String == "wider")
        let question = try JSONSerialization.data(withJSONObject: try #require(lines.first?["request"]))
        for (rules, status) in [(Self.narrow, 422), (Self.wide, 200)] {
            let answer = try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "rules.yaml")
                try Data(rules.utf8).write(to: file)
                return try await Command.run(
                    try #require(PresignProcess.binary), ["explain", "--config", file.path(), "--batch"],
                    input: question + Data("\n".utf8))
            }
            #expect(answer.output.hasPrefix("{\"status\":\(status),"), "\(answer)")
        }
    }

    /// 1,000 rules of five kinds, of which some cross each other, one that captures a value twice, and denials in every
    /// folder.
    private static func manyRules(size: Int) -> String {
        let rules = (0..<1000).map { index in
            let (path, grant) =
                switch index % 5 {
                case 0: ("t\(index)/**", "everyone: [get]")
                case 1: ("users/{identity}/f\(index)/**", "owner: [read, write]")
                case 2: ("teams/{group}/d\(index)/*", "\"{group}\": [read, write]")
                case 3: ("a/b\(index % 50)/c\(index)", "group:g\(index % 20): [get, write, multipart]")
                default: ("*/x\(index)/**", "authenticated: [get]")
                }
            let limit = index % 100 == 1 ? size : 25
            return "  - {path: \"\(path)\", allow: {\(grant)}, write: {types: [image/*], maxSize: \(limit)m}}\n"
        }
        return
            "rules:\n  - {path: \"own/{identity}/{identity}/**\", allow: {owner: [get]}}\n\(rules.joined())deny:\n  - {path: \"**/*.exe\"}\n  - {path: \"**/.*\", actions: [get, write]}\n"
    }

    @Test("1,000 rules are compared with 1,000 in at most 2 seconds of processor time and 200 MiB")
    func bounds() async throws {
        let (run, seconds, memory) = try await measured([], Self.manyRules(size: 25), Self.manyRules(size: 30))
        #expect(run.status == 1 && seconds <= 2 && memory <= 200, "\(run.status), \(seconds) s, \(memory) MiB")
    }

    /// Rules of a store that lists, each for groups of its own.
    private static func listing(_ name: String, rules: Int, groups: Int) -> String {
        let rules = (0..<rules).map { rule in
            let grants = (0..<groups).map { "group:\(name)\(rule)-\($0): [list]" }.joined(separator: ", ")
            return "  - {path: \"\(name)\(rule)/**\", allow: {\(grants)}}\n"
        }.joined()
        return "stores: {media: {bucket: b, region: r, listing: true}}\nrules:\n\(rules)"
            + "  - {path: \"**\", allow: {everyone: [list]}}\n"
    }

    @Test("The same files have the same findings in each run")
    func order() async throws {
        let files = ["l", "m"].map { Self.listing($0, rules: 3, groups: 3) }
        var outputs: Set<[String]> = []
        for _ in 0..<4 {
            let output = try await run(["--all"], files[0], files[1]).output
            // The others name the files, which are new ones for each run.
            outputs.insert(output.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  LIST") })
        }
        #expect(outputs.count == 1 && outputs.first?.count ?? 0 > 10, "\(outputs)")
    }

    /// Every segment of a path is another literal or any; they cross each other for longer than the time that is given.
    private static func crossing(_ name: String) -> String {
        let rules = (0..<144).map { index in
            let path = (0..<12).map { $0 == index % 12 ? "\(name)\(index)" : "*" }.joined(separator: "/")
            return "  - {path: \"\(path)\", allow: {everyone: [get]}}\n"
        }
        return "rules:\n" + rules.joined()
    }

    /// Denials of which each segment can match any.
    private static func globs(_ name: String) -> String {
        let letters = Array("abcdefghijklmnopqr").map(String.init)
        let denials = letters.indices.dropFirst(2).map { last in
            "  - {path: \"**/*\(letters[last - 2...last].joined(separator: "*"))*\"}\n"
        }
        return "rules: [{path: \"\(name)/**\", allow: {everyone: [get]}}]\ndeny:\n" + denials.joined()
    }

    /// The paths and denials that cross take ten and five seconds of a core, so only a long run has them.
    @Test(
        "Too many combinations end with exit code 3 and a path, not with a result, in 11 seconds and 200 MiB",
        arguments: [["l", "m"].map { listing($0, rules: 2, groups: 32) }]
            + (isLongRun ? [["l", "m"].map(crossing), ["l", "m"].map(globs)] : []))
    func tooMany(files: [String]) async throws {
        let (run, seconds, memory) = try await measured([], files[0], files[1])
        #expect(run.status == 3 && run.output.isEmpty, "\(run)")
        #expect(run.errors.hasPrefix("presign: too many combinations at "), "\(run)")
        #expect(seconds <= 11 && memory <= 200, "\(seconds) s, \(memory) MiB")
    }
}
