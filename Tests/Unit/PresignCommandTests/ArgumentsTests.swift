import Testing

@testable import presign

@Suite("The words after a command's name")
struct ArgumentsTests {
    enum Colour: String, CaseIterable { case red, green, blue }

    /// A command with a parameter of every kind.
    struct Values: Equatable {
        var plain: String?
        var required: String
        var repeated: [String]
        var flag: Bool
        var number: Int64?
        var colour: Colour?
        var word: String
        var rest: [String]

        init(
            plain: String? = nil, required: String = "r", repeated: [String] = [], flag: Bool = false,
            number: Int64? = nil, colour: Colour? = nil, word: String = "w", rest: [String] = []
        ) {
            self.plain = plain
            self.required = required
            self.repeated = repeated
            self.flag = flag
            self.number = number
            self.colour = colour
            self.word = word
            self.rest = rest
        }

        init(from arguments: inout Arguments) {
            plain = arguments.option("plain", "text", help: "")
            required = arguments.requiredOption("required", help: "")
            repeated = arguments.options("repeated", "one", help: "")
            flag = arguments.flag("flag", help: "")
            number = arguments.number("number", help: "")
            colour = arguments.choice("colour", help: "")
            word = arguments.word("word", help: "")
            rest = arguments.words("rest", help: "")
        }

        static func read(_ line: String) throws -> Values {
            var arguments = Arguments(line.split(separator: " ").map { $0 == "''" ? "" : String($0) })
            let values = Values(from: &arguments)
            try arguments.finish()
            return values
        }
    }

    @Test(
        "Values are found wherever they stand",
        arguments: [
            ("--required r w", Values()),
            ("w --required=r", Values()),
            ("w --required x --required r", Values()),
            ("w --required r --plain a", Values(plain: "a")),
            ("w --required r --plain=a=b", Values(plain: "a=b")),
            ("w --required r --plain=-a", Values(plain: "-a")),
            // A combining accent is a character with what stands before it; the value is what follows in bytes.
            ("w --required r --plain=\u{301}a", Values(plain: "\u{301}a")),
            ("w --required r --plain -", Values(plain: "-")),
            ("w --required r --plain ''", Values(plain: "")),
            ("--repeated 1 w --repeated=2 --required r", Values(repeated: ["1", "2"])),
            ("--flag w --required r --flag", Values(flag: true)),
            ("w --required r --number=-5", Values(number: -5)),
            ("w --required r --number 9223372036854775807", Values(number: .max)),
            ("w --required r --colour green", Values(colour: .green)),
            ("a --required r b c", Values(word: "a", rest: ["b", "c"])),
            ("--required r -- --flag -- b", Values(word: "--flag", rest: ["--", "b"])),
            ("--required r - b", Values(word: "-", rest: ["b"])),
        ])
    func values(_ line: String, _ values: Values) throws {
        #expect(try Values.read(line) == values)
    }

    @Test(
        "What is wrong is named, the first thing first",
        arguments: [
            ("", "Missing expected argument '--required <required>'"),
            ("--required r", "Missing expected argument '<word>'"),
            ("w --required", "Missing value for '--required <required>'"),
            ("w --required=", "Missing value for '--required <required>'"),
            ("w --required --flag", "Missing value for '--required <required>'"),
            ("w --required -- r", "Missing value for '--required <required>'"),
            ("w --required r --plain", "Missing value for '--plain <text>'"),
            ("w --required r --flag=yes", "The option '--flag' does not take any value, but 'yes' was specified."),
            ("w --required r --flag=", "The option '--flag' does not take any value, but '' was specified."),
            ("w --required r --number x", "The value 'x' is invalid for '--number <number>'"),
            ("w --required r --number x --number 1", "The value 'x' is invalid for '--number <number>'"),
            (
                "w --required r --number 9223372036854775808",
                "The value '9223372036854775808' is invalid for '--number <number>'"
            ),
            (
                "w --required r --colour pink",
                "The value 'pink' is invalid for '--colour <colour>'. Please provide one of 'red', 'green' or 'blue'."
            ),
            ("w --required r --plan a", "Unknown option '--plan'"),
            ("w --required r --Plain a", "Unknown option '--Plain'"),
            ("w --required r -plain a", "Unknown option '-plain'"),
            ("--bogus", "Unknown option '--bogus'"),
        ])
    func mistakes(_ line: String, _ message: String) throws {
        let error = try #require(throws: UsageError.self) { try Values.read(line) }
        #expect(error.message == message)
    }

    @Test("A word that nothing takes is a mistake") func leftOver() throws {
        var arguments = Arguments(["a", "b"])
        _ = arguments.word("word", help: "")
        let error = try #require(throws: UsageError.self) { try arguments.finish() }
        #expect(error.message == "Unexpected argument 'b'")
    }
}
