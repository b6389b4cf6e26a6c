import Foundation
import TestSupport
import Testing

@Suite("The length of functions")
struct FunctionLengthTests {
    /// The maximum number of lines from the first line of a declaration to its closing brace; see CONTRIBUTING.md.
    private static let maximum = 45

    @Test("No function or initializer of the sources has more than 45 lines")
    func sources() throws {
        let files = try #require(
            FileManager.default.enumerator(
                at: Repository.root.appending(path: "Sources"), includingPropertiesForKeys: nil))
        var found = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            for function in Self.functions(in: try String(contentsOf: file, encoding: .utf8)) {
                found += 1
                #expect(
                    function.length <= Self.maximum,
                    "\(file.lastPathComponent):\(function.line) has \(function.length) lines")
            }
        }
        #expect(found > 1000)
    }

    @Test("A function ends at the brace below its first word")
    func parsing() {
        let text = """
            struct A {
                func one() -> Int { 1 }
                /// func inComment()
                package func two(
                    a: Int
                ) {
                    if true {
                    }
                }
                init() {
                }
            }
            """
        #expect(Self.functions(in: text).map(\.line) == [4, 10])
        #expect(Self.functions(in: text).map(\.length) == [6, 2])
    }

    /// Returns the functions that have more than one line. The formatter puts the closing brace below the first word of
    /// the declaration.
    private static func functions(in text: String) -> [(line: Int, length: Int)] {
        let start = /^( *)(?:[a-z]+(?:\([a-z]+\))? )*(?:func [^ ]|init[?<(])/
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.compactMap { index in
            guard let match = lines[index].prefixMatch(of: start) else { return nil }
            let isComplete = lines[index].hasSuffix("}")
            guard !isComplete, let end = lines[index...].dropFirst().firstIndex(of: match.1 + "}") else { return nil }
            return (index + 1, end - index + 1)
        }
    }
}
