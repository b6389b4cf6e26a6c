import Foundation
import Testing

@Suite("Files for GitHub, and the index of config/")
struct RepositoryFileTests {
    /// The files of a folder and of its subfolders, relative to the repository.
    private static func files(in folder: String) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Deployment.file(folder).path())
        return paths.map { "\(folder)/\($0)" }.sorted().filter {
            (try? Deployment.file($0).resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
        }
    }

    /// The relative links of a Markdown file, without fragments.
    private static func links(in document: String) throws -> [String] {
        let text = try String(contentsOf: Deployment.file(document), encoding: .utf8)
        return text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/).map { String($0.1) }
    }

    @Test(
        "Workflows, issue forms and Dependabot's configuration match GitHub's schemas", .validators,
        arguments: [
            ("workflows/", 4, "vendor.github-workflows"), ("ISSUE_TEMPLATE/", 2, "vendor.github-issue-forms"),
            ("dependabot.yml", 1, "vendor.dependabot"),
        ])
    func schemas(beginning: String, count: Int, schema: String) async throws {
        let files = try Self.files(in: ".github")
            .filter { $0.hasPrefix(".github/" + beginning) && !$0.hasSuffix("/config.yml") }
        #expect(files.count == count && files.allSatisfy { $0.hasSuffix(".yml") })
        let result = try await Deployment.validate(
            "check-jsonschema", ["--builtin-schema", schema] + files.map { Deployment.file($0).path() })
        #expect(result.status == 0, "\(result)")
    }

    @Test("The release scripts are well-formed")
    func releaseScripts() async throws {
        for script in try Self.files(in: ".github").filter({ $0.hasSuffix(".sh") }) {
            let result = try await Command.run("/bin/bash", ["-n", Deployment.file(script).path()])
            #expect(result.status == 0, "\(script): \(result.errors)")
        }
    }

    @Test(
        "The tables of Configuration.md are those that config/presign.yaml and the last runs of doctor give",
        arguments: ["documentation/configuration.py", "storage/doctor-table.py"])
    func configurationTables(script: String) async throws {
        let path = Deployment.file("Tests/\(script)").path()
        let result = try await Command.run("/usr/bin/python3", [path, "--check"])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("config/README.md lists each file in config/ once, and nothing else")
    func index() throws {
        let text = try String(contentsOf: Deployment.file("config/README.md"), encoding: .utf8)
        // The first cell of a row; rows of "Which one to start from" begin with text.
        let listed = text.matches(of: /(?m)^\| \[[^\]]+\]\(([^)]+)\) \|/).map { "config/\($0.1)" }.sorted()
        #expect(try listed == Self.files(in: "config").filter { $0 != "config/README.md" })
    }

    @Test(
        "Relative links lead to files",
        arguments: [
            "config/README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md", ".github/CHANGELOG.md",
        ])
    func relativeLinks(document: String) throws {
        let folder = Deployment.file(document).deletingLastPathComponent()
        for link in try Self.links(in: document) {
            let target = folder.appending(path: link).standardized.path()
            #expect(FileManager.default.fileExists(atPath: target), "\(document): \(link)")
        }
    }
}
