import Testing
import Yams

@testable import PresignService

/// Whatever our reader accepts must mean the same to libyaml, on well over ten thousand mutated documents.
@Suite("YAML reader against libyaml")
struct YAMLDifferentialTests {
    private static let seeds = [
        "a:\n  - x: 1\n    y: [1, {b: c}]\n  - z\nk: \"q\\n\" # c\n", "{a: [1, 2], b: {c: 'd'}}\n",
        "- - a\n  - b: c\n- {x: y}\n",
        "path: teams/{group}/**\nallow: {owner: [read, write]}\nwrite:\n  maxSize: 25m\n",
    ]
    private static let alphabet = Array(" \n:-#[]{},'\"abk1&*!|>%@?\t\\~".unicodeScalars)

    @Test(arguments: 0..<8)
    func agrees(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var accepted = 0
        for _ in 0..<2000 {
            let text = Self.mutated(&random)
            guard let mine = try? YAMLReader.read(Array(text.utf8)) else { continue }
            accepted += 1
            let theirs = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
            #expect(Self.outline(mine) == theirs.map(Self.outline) ?? "'\"\"", "\(text.debugDescription)")
        }
        #expect(accepted > 100)
    }

    private static func mutated(_ random: inout SplitMix64) -> String {
        var scalars = Array((seeds.randomElement(using: &random) ?? "").unicodeScalars)
        for _ in 0...Int.random(in: 0...3, using: &random) {
            let index = Int.random(in: 0..<scalars.count, using: &random)
            let scalar = alphabet.randomElement(using: &random) ?? " "
            switch Int.random(in: 0...2, using: &random) {
            case 0: scalars[index] = scalar
            case 1: scalars.insert(scalar, at: index)
            default: scalars.remove(at: index)
            }
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    private static func outline(_ node: YAMLNode) -> String {
        switch node.content {
        // An empty plain text and an empty quoted one are the same to the other side's outline.
        case .scalar(let text, let isPlain): (isPlain && !text.isEmpty ? "" : "'") + text.debugDescription
        case .sequence(let entries): "[" + entries.map(outline).joined(separator: ",") + "]"
        case .mapping(let members):
            "{" + members.map { outline($0.key) + ":" + outline($0.value) }.joined(separator: ",") + "}"
        }
    }

    private static func outline(_ node: Node) -> String {
        switch node {
        case .scalar(let scalar):
            (scalar.style == .plain && !scalar.string.isEmpty ? "" : "'") + scalar.string.debugDescription
        case .sequence(let entries): "[" + entries.map(outline).joined(separator: ",") + "]"
        case .mapping(let members):
            "{" + members.map { outline($0.key) + ":" + outline($0.value) }.joined(separator: ",") + "}"
        case .alias: "alias"
        }
    }
}

/// A small seeded generator, so that a failure can be had again.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
