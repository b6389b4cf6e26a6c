import Foundation
import TestSupport
import Testing

@testable import DataFormats

/// Every document that the own reader accepts must have the same meaning in libyaml.
@Suite("YAML reader against libyaml", .pythonClients)
struct YAMLDifferentialTests {
    private static let seeds = [
        "a:\n  - x: 1\n    y: [1, {b: c}]\n  - z\nk: \"q\\n\" # c\n", "{a: [1, 2], b: {c: 'd'}}\n",
        "- - a\n  - b: c\n- {x: y}\n",
        "---\n[a, [\nb], c]\n...\n", "--- # c\na:\n  - {b: c}\n... # d\n",
        "%YAML 1.2\n---\na: 1\n...\n", "\u{FEFF}# c\n%YAML 1.2 # d\n--- [a, b]\n", "\u{FEFF}a: {b: c}\n",
        "path: teams/{group}/**\nallow: {owner: [read, write]}\nwrite:\n  maxSize: 25m\n",
    ]
    private static let insertions =
        " \n:-#[]{},'\"abk1&*!|>%@?\t\\~.\r".unicodeScalars.map { [$0] }
        + ["\n---\n", "\n...\n", "\n--- ", "\n... ", "\n%YAML 1.2\n", "%YAML 1.2\n---\n", "\u{FEFF}"].map {
            Array($0.unicodeScalars)
        }

    @Test("16,000 mutated documents are read the same")
    func agrees() async throws {
        var random = SeededGenerator(seed: 0)
        let documents = (0..<16_000).map { _ in Self.mutated(&random) }
        let accepted = documents.compactMap { text in
            (try? YAMLReader.read(Array(text.utf8), file: "")).map {
                (text: text, tree: Tree($0, in: Self.lines(text)))
            }
        }
        #expect(accepted.count > 800)
        let input = try accepted.map { try JSONEncoder().encode($0.text) + Data("\n".utf8) }.reduce(Data(), +)
        let run = try await Command.run(
            try #require(Python.interpreter), [Python.script("yaml_trees")], input: input)
        try #require(run.status == 0, "\(run.errors)")
        let theirs = run.output.split(separator: "\n")
        try #require(theirs.count == accepted.count)
        for (ours, line) in zip(accepted, theirs) {
            let tree = try JSONDecoder().decode(Tree?.self, from: Data(line.utf8))
            #expect(tree == ours.tree, "\(ours.text.debugDescription)")
        }
    }

    private static func lines(_ text: String) -> [[Unicode.Scalar]] {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    }

    private static func mutated(_ random: inout SeededGenerator) -> String {
        var scalars = Array((seeds.randomElement(using: &random) ?? "").unicodeScalars)
        for _ in 0...Int.random(in: 0...3, using: &random) {
            let index = Int.random(in: 0..<scalars.count, using: &random)
            let insertion = insertions.randomElement(using: &random) ?? []
            switch Int.random(in: 0...2, using: &random) {
            case 0: scalars.replaceSubrange(index...index, with: insertion)
            case 1: scalars.insert(contentsOf: insertion, at: index)
            default: scalars.remove(at: index)
            }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// A document's tree, without positions.
    private enum Tree: Decodable, Equatable {
        case scalar(String, isPlain: Bool)
        case sequence([Tree])
        case mapping([Tree])

        private enum Key: CodingKey { case text, isPlain, entries, members }

        /// - Parameter lines: the document, which shows whether a key is quoted.
        init(_ node: ConfigurationNode, in lines: [[Unicode.Scalar]]) {
            switch node.content {
            case .scalar(let text, let isPlain): self = .scalar(text, isPlain: isPlain)
            case .list(let entries): self = .sequence(entries.map { Tree($0, in: lines) })
            case .mapping(let members):
                self = .mapping(
                    members.flatMap { member in
                        let first = lines[member.keyPosition.line - 1][member.keyPosition.column - 1]
                        let key = Tree.scalar(member.key, isPlain: first != "'" && first != "\"")
                        return [key, Tree(member.value, in: lines)]
                    })
            }
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            if let entries = try values.decodeIfPresent([Tree].self, forKey: .entries) {
                self = .sequence(entries)
            } else if let members = try values.decodeIfPresent([Tree].self, forKey: .members) {
                self = .mapping(members)
            } else {
                let text = try values.decode(String.self, forKey: .text)
                self = .scalar(text, isPlain: try values.decode(Bool.self, forKey: .isPlain))
            }
        }
    }
}
