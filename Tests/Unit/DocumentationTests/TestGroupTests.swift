import Foundation
import TestSupport
import Testing

/// `Tests/run.sh` runs each group of end-to-end tests in a process of its own, and selects it by the name of its suite.
@Suite("Groups of end-to-end tests")
struct TestGroupTests {
    private static let folder = "Tests/EndToEndTests"

    @Test("The tests of a group's folder are nested in the suite of its name, and no others are")
    func folders() throws {
        let groups = try Self.groups()
        #expect(groups.contains("Alone") && groups.count > 3, "\(groups)")
        var found: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(
            atPath: Repository.root.appending(path: Self.folder).path())
        where path.hasSuffix(".swift") {
            let text = try Repository.text(of: "\(Self.folder)/\(path)")
            let extended = groups.filter { text.contains("\nextension \($0)") }
            let folder = path.split(separator: "/").first.map(String.init) ?? ""
            guard text.contains("@Test(") else { continue }
            let expected = groups.contains(folder) ? [folder] : []
            #expect(extended == expected, "\(path)")
            #expect(expected.isEmpty || !text.contains("\n@Suite"), "\(path) has a suite outside of \(folder)")
            found.formUnion(extended)
        }
        #expect(found == Set(groups))
    }

    /// The groups that `Tests/run.sh` names.
    private static func groups() throws -> [String] {
        let script = try Repository.text(of: "Tests/run.sh")
        let line = try #require(script.firstMatch(of: /\ngroups=\(([A-Za-z ]+)\)\n/))
        return line.1.split(separator: " ").map(String.init) + ["Alone"]
    }
}
