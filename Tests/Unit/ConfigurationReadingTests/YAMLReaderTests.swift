import Testing

@testable import ConfigurationReading

@Suite("YAML reader")
struct YAMLReaderTests {
    /// The tree in a short notation: `{k: v}`, `[..]`, `'quoted'`, plain text as is.
    static func outline(_ node: YAMLNode) -> String {
        switch node.content {
        case .scalar(let text, let isPlain): isPlain ? text : "'\(text)'"
        case .sequence(let entries): "[" + entries.map(outline).joined(separator: ",") + "]"
        case .mapping(let members):
            "{" + members.map { "\(outline($0.key)):\(outline($0.value))" }.joined(separator: ",") + "}"
        }
    }

    @Test(
        "Accepts valid documents",
        arguments: [
            ("", ""), ("# only a comment", ""), ("---\na: 1", "{a:1}"), ("a: 1\r\nb: 2\r\n", "{a:1,b:2}"),
            ("a:\n  b: c # note\n  d: 'e'", "{a:{b:c,d:'e'}}"), ("a:\n- x\n- y\nb: z", "{a:[x,y],b:z}"),
            ("- a: 1\n  b: 2\n- - c\n  - d", "[{a:1,b:2},[c,d]]"), ("a: [1, {b: c,}, 'd',]", "{a:[1,{b:c},'d']}"),
            (#"{"a": "x\u0041\n\t\"", 'it''s': b}"#, "{'a':'xA\n\t\"','it's':b}"),
            ("url: http://h:1/p#f", "{url:http://h:1/p#f}"), ("a: -1\nb: a,b]c", "{a:-1,b:a,b]c}"),
            ("a:\nb: ''\nc: 😀", "{a:,b:'',c:😀}"), ("a:\n  [x,\n   y] # end", "{a:[x,y]}"),
        ])
    func accepts(text: String, tree: String) throws {
        #expect(Self.outline(try YAMLReader.read(Array(text.utf8))) == tree)
    }

    @Test(
        "Rejects invalid documents with the position",
        arguments: [
            ("a: 1\na: 2", 2, 1, "duplicate key"), ("{a: 1, a: 2}", 1, 8, "duplicate key"), ("a: *x", 1, 4, "aliases"),
            ("a: &x 1", 1, 4, "anchors"), ("a: !!int 1", 1, 4, "tags"), ("a: |\n  x", 1, 4, "block scalars"),
            ("a:\n\tb: 1", 2, 1, "tab"), ("a: x\n  y", 2, 3, "must be on one line"), ("a: b: c", 1, 5, "quotes"),
            ("a:\n  b: 1\n c: 2", 3, 2, "indentation"), ("a: 'x", 1, 4, "closing quote"),
            ("a: \"\\q\"", 1, 6, "escape"),
            ("? a", 1, 1, "complex"), ("[a, b", 1, 6, "missing"), ("[a,, b]", 1, 4, "two commas"),
            ("a: 1\n---\nb: 2", 2, 1, "key: value"), ("a: \u{1}", 1, 4, "U+1"),
            ("%YAML 1.2\n---\na: 1", 1, 1, "quotes"),
            ("{a:[1]}", 1, 3, "space after"), ("- a\nb: 1", 2, 1, "end of the document"),
        ])
    func refuses(text: String, line: Int, column: Int, message: String) {
        #expect {
            try YAMLReader.read(Array(text.utf8))
        } throws: { error in
            guard let error = error as? YAMLError else { return false }
            return error.position == YAMLPosition(line: line, column: column) && error.message.contains(message)
        }
    }

    @Test("Rejects invalid UTF-8 and excessive nesting")
    func refusesTheHostile() {
        #expect(throws: YAMLError.self) { try YAMLReader.read([0x61, 0x3A, 0x20, 0xFF]) }
        for opener in ["[", "{a: ", "- "] {
            let text = String(repeating: opener, count: 100_000)
            #expect(throws: YAMLError.self) { try YAMLReader.read(Array(text.utf8)) }
        }
    }
}
