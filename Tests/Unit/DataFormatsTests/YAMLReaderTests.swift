import Testing

@testable import DataFormats

@Suite("YAML reader")
struct YAMLReaderTests {
    /// The tree in a short notation: `{k: v}`, `[..]`, `'quoted'`, plain text as is.
    ///
    /// - Parameter text: the document, which shows whether a key is quoted.
    static func outline(_ node: ConfigurationNode, in text: String) -> String {
        switch node.content {
        case .scalar(let text, let isPlain): return isPlain ? text : "'\(text)'"
        case .list(let entries): return "[" + entries.map { outline($0, in: text) }.joined(separator: ",") + "]"
        case .mapping(let members):
            let outlines = members.map { member in
                let key = member.isQuoted(in: text) ? "'\(member.key)'" : member.key
                return "\(key):\(outline(member.value, in: text))"
            }
            return "{" + outlines.joined(separator: ",") + "}"
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
            ("---", ""), ("---\n...", ""), ("--- # c\na: 1\n... # c\n# d\n", "{a:1}"),
            ("---\r\na: 1\r\n...\r\n", "{a:1}"),
            ("--- {a: [1]}", "{a:[1]}"), ("--- 'a'\n...\n", "'a'"), ("--- a", "a"), ("---\n- a\n...", "[a]"),
            ("a: --- b\nc: ...", "{a:--- b,c:...}"), ("---a: 1\n...b: 2", "{---a:1,...b:2}"),
            ("a: [\n ---,\n ...]", "{a:[---,...]}"),
            ("\u{FEFF}a: 1", "{a:1}"), ("\u{FEFF}", ""), ("\u{FEFF}---\r\na: 1\r\n...\r\n", "{a:1}"),
            ("%YAML 1.2\n---\na: 1", "{a:1}"), ("\u{FEFF}# c\n%YAML  1.2 # d\n# e\n--- [a]\n...", "[a]"),
            ("%YAML 1.2\r\n---\r\n", ""),
        ])
    func accepts(text: String, tree: String) throws {
        #expect(Self.outline(try YAMLReader.read(Array(text.utf8), file: "c.yaml"), in: text) == tree)
    }

    @Test(
        "Rejects invalid documents with the position",
        arguments: [
            ("a: 1\na: 2", 2, 1, "duplicate key"), ("{a: 1, a: 2}", 1, 8, "duplicate key"),
            ("- path: {identity}/**", 1, 9, "must be in quotes, such as \"{identity}/**\""),
            ("[{a}/b]", 1, 2, "must be in quotes"), ("{a: 1, b}", 1, 9, "expected \":\""), ("a: *x", 1, 4, "aliases"),
            ("a: &x 1", 1, 4, "anchors"), ("a: !!int 1", 1, 4, "tags"), ("a: |\n  x", 1, 4, "block scalars"),
            ("a:\n\tb: 1", 2, 1, "tab"), ("a: x\n  y", 2, 3, "must be on one line"), ("a: b: c", 1, 5, "quotes"),
            ("a:\n  b: 1\n c: 2", 3, 2, "indentation"), ("a: 'x", 1, 4, "closing quote"),
            ("a: \"\\q\"", 1, 6, "escape"),
            ("? a", 1, 1, "complex"), ("[a, b", 1, 6, "missing"), ("[a,, b]", 1, 4, "two commas"),
            ("a: 1\n---\nb: 2", 2, 1, "second document"), ("a: \u{1}", 1, 4, "U+1"),
            ("%YAML 1.2\na: 1", 2, 1, "add a line"), ("%YAML 1.2", 1, 10, "add a line"),
            ("%YAML 1.1\n---\na: 1", 1, 1, "only directive"), ("%YAML 1.2 x\n---", 1, 1, "only directive"),
            ("%TAG ! tag:a,2000:\n---\na: 1", 1, 1, "only directive"), ("%YAML1.2\n---", 1, 1, "only directive"),
            ("%YAML 1.2\n%YAML 1.2\n---", 2, 1, "add a line"), (" %YAML 1.2\n---", 1, 2, "quotes"),
            ("---\n%YAML 1.2\n---", 2, 1, "quotes"), ("%YAML 1.2#\n---", 1, 10, "unexpected text"),
            ("\u{FEFF}a: *x", 1, 4, "aliases"), ("\u{FEFF}\u{FEFF}a: 1", 1, 1, "U+FEFF"),
            ("a: \u{FEFF}1", 1, 4, "U+FEFF"), (" \u{FEFF}a: 1", 1, 2, "U+FEFF"), ("a: 1\n\u{FEFF}", 2, 1, "U+FEFF"),
            ("{a:[1]}", 1, 3, "space after"), ("- a\nb: 1", 2, 1, "end of the document"),
            ("---\n---\n", 2, 1, "second document"), ("a: 1\n...\n---\nb: 2", 3, 1, "second document"),
            ("--- a\n--- b", 2, 1, "second document"), ("# c\n--- # c\n\n---", 4, 1, "second document"),
            ("a: 1\n...\nb: 2", 3, 1, "nothing may follow"), ("a: 1\n... b", 2, 5, "nothing may follow"),
            ("a: 1\n...\n...", 3, 1, "nothing may follow"), ("...", 1, 1, "none precedes"),
            ("# c\n... # d", 2, 1, "none precedes"), ("a: [\n---\n]", 2, 1, "missing value"),
            ("[\n--- ,\n...\n]", 2, 1, "missing value"), ("a: {b:\n...\n}", 2, 1, "missing"),
            ("a: 'x\n---\n'", 1, 4, "closing quote"), ("--- a: 1\n    b: 2", 1, 5, "line after"),
            ("--- 'a': 1", 1, 5, "line after"), ("--- - a", 1, 5, "new line"), ("--- a\nb", 2, 1, "one line"),
            ("a: 1\rb: 2", 1, 5, "U+D"), ("[a,\r---\r]", 1, 4, "U+D"), ("a: 1\r", 1, 5, "U+D"),
        ])
    func refuses(text: String, line: Int, column: Int, message: String) {
        #expect {
            try YAMLReader.read(Array(text.utf8), file: "c.yaml")
        } throws: { error in
            guard let error = error as? ConfigurationError else { return false }
            return error.position == SourcePosition(file: "c.yaml", line: line, column: column)
                && error.message.hasPrefix("YAML: ") && error.message.contains(message)
        }
    }

    @Test("Rejects invalid UTF-8 and excessive nesting")
    func refusesTheHostile() {
        for bytes in [[0x61, 0x3A, 0x20, 0xFF], [0xFF, 0xFE, 0x61, 0x00]] as [[UInt8]] {
            let error = #expect(throws: ConfigurationError.self) { try YAMLReader.read(bytes, file: "") }
            #expect(error?.message.contains("save it as UTF-8") == true)
        }
        for opener in ["[", "{a: ", "- "] {
            let text = String(repeating: opener, count: 100_000)
            #expect(throws: ConfigurationError.self) { try YAMLReader.read(Array(text.utf8), file: "") }
        }
    }
}

extension ConfigurationNode.Member {
    /// Whether the key begins with a quote.
    fileprivate func isQuoted(in text: String) -> Bool {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return ["'", "\""].contains(Array(lines[keyPosition.line - 1])[keyPosition.column - 1])
    }
}
