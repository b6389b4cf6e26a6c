import DataFormats
import PresignService
import TestSupport
import Testing

@Suite("A configuration of an earlier version", .disabled(if: KeptFile.isRefreshing))
struct ConfigurationCompatibilityTests {
    private static let file = KeptFile("configuration.yaml")

    @Test("It is read without an error")
    func read() throws {
        let configuration = try ServiceConfiguration(parsing: try Self.file.bytes, file: "\(Self.file)")
        #expect(configuration.stores.map(\.name) == ["media", "archive"] && configuration.hasCallers)
    }

    @Test("It has every key that the reference had then")
    func keys() throws {
        let found = Self.paths(of: try YAMLReader.read(try Self.file.bytes, file: "\(Self.file)"))
        let keys = try KeptFile("names.txt").lines.compactMap { line in
            line.hasPrefix("key ") ? String(line.dropFirst(4)) : nil
        }
        #expect(keys.count > 150)
        for key in keys { #expect(found.contains(key), "\(Self.file) lacks \(key)") }
    }

    /// The paths of all keys as the reference writes them, such as `stores.NAME.bucket`.
    private static func paths(of node: ConfigurationNode, _ path: String = "") -> Set<String> {
        switch node.content {
        case .scalar: return []
        case .list(let entries): return Set(entries.flatMap { paths(of: $0, path + "[]") })
        case .mapping(let members):
            return members.reduce(into: []) { found, member in
                let isChosen = ["stores", "rules[].allow", "auth.jwt[].claims"].contains(path)
                let name = path == "rules[].allow" ? "GRANTEE" : isChosen ? "NAME" : member.key
                for name in [name, member.key] {
                    let own = path.isEmpty ? name : "\(path).\(name)"
                    found.insert(own)
                    found.formUnion(paths(of: member.value, own))
                }
            }
        }
    }
}
