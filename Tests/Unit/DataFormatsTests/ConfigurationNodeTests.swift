import Testing

@testable import DataFormats

@Suite("Configuration nodes")
struct ConfigurationNodeTests {
    private func root(_ yaml: String) throws(ConfigurationError) -> ConfigurationNode {
        try ConfigurationNode.read(Array(yaml.utf8), file: "c.yaml") { $0 }
    }

    private func value(_ yaml: String) throws -> ConfigurationNode {
        try root("v: " + yaml).mapping(["v"]).required("v")
    }

    @Test(
        "Malformed files are rejected with the position",
        arguments: [
            ("a: 1\na: 2\n", "2:1"), ("a: [1\nb: 2", "2:1"),
            ("a: 1\n---\nb: 2\n", "2:1"), ("a: *b\n", "1:4"), ("a: &x [1]\nb: *x\n", "1:4"), ("a: !!int 3\n", "1:4"),
            ("? [a]\n: b\n", "1:1"),
            ("a: 1\nb: \u{1}", "2:4"),
        ])
    func broken(yaml: String, position: String) {
        let error = #expect(throws: ConfigurationError.self) { _ = try root(yaml) }
        #expect(error?.position.description == "c.yaml:" + position)
    }

    @Test("An empty file is not a mapping", arguments: ["", "# only a comment\n", "---\n"])
    func empty(yaml: String) throws {
        let node = try root(yaml)
        let error = #expect(throws: ConfigurationError.self) { _ = try node.mapping(["a"]) }
        #expect(error?.message.hasSuffix("but is empty") == true)
    }

    @Test func rejectsInvalidUTF8() {
        #expect(throws: ConfigurationError.self) {
            _ = try ConfigurationNode.read([0x61, 0xff], file: "c.yaml") { $0 }
        }
    }

    @Test func unknownAndMissingKeys() throws {
        let unknown = #expect(throws: ConfigurationError.self) {
            try ConfigurationNode.read(Array("a:\n  b: 1\n  c: 2\n".utf8), file: "c.yaml") {
                _ = try $0.mapping(["a"]).required("a").mapping(["b"])
            }
        }
        #expect(unknown?.description == "c.yaml:3:3: unknown key `a.c`; allowed here: `b`")
        let node = try root("a:\n  b: 1\n  c: 2\n").mapping(["a"]).required("a")
        let missing = #expect(throws: ConfigurationError.self) { _ = try node.mapping(["b", "c", "d"]).required("d") }
        #expect(missing?.description == "c.yaml:2:3: `a` needs the key `d`; add it")
    }

    @Test("Text is kept as written", arguments: ["yes", "012", "1e3", "0x10", "1:30", "=", "2027-06-30", "NO"])
    func text(_ text: String) throws {
        #expect(try value(text).string() == text)
    }

    @Test("Null, empty, and nested values are not text", arguments: ["", "~", "null", "\"\"", "[a]", "{a: b}"])
    func noText(_ yaml: String) throws {
        let node = try value(yaml)
        #expect(throws: ConfigurationError.self) { _ = try node.string() }
    }

    @Test(
        "Only true and false are booleans",
        arguments: ["yes", "on", "True", "TRUE", "\"true\"", "'false'", "1", "~", "y", ""])
    func booleans(_ yaml: String) throws {
        #expect(try value("true").boolean() && !value("false").boolean())
        let node = try value(yaml)
        #expect(throws: ConfigurationError.self) { _ = try node.boolean() }
    }

    @Test(
        "The message quotes the unexpected value, unless it may be a secret",
        arguments: [
            ("two", "but is `two`"), ("10MB", "but is `10MB`"),
            ("\"8\"", "but is quoted text; remove the quotation marks"),
            ("psk_web_AAAAAAAAAAAAAAA", "but is a plain value"),
        ])
    func mismatch(yaml: String, found: String) throws {
        let node = try value(yaml)
        let reads: [() throws -> Void] = [
            { _ = try node.boolean() }, { _ = try node.integer() }, { _ = try node.size() },
            { _ = try node.seconds(in: 0...9) }, { _ = try node.duration(in: .zero ... .seconds(9)) },
            { _ = try node.rate(in: 1...9) },
        ]
        for read in reads {
            let error = #expect(throws: ConfigurationError.self) { try read() }
            #expect(error?.message.hasSuffix(found) == true, "\(error?.message ?? "")")
        }
        let list = #expect(throws: ConfigurationError.self) { _ = try node.list() }
        #expect(list?.message.contains(yaml) == false)
    }

    @Test(
        "Only canonical decimal numbers are integers",
        arguments: ["012", "+5", "1_000", "0x1f", "0o7", "1.0", "1e3", "\"5\"", "-0", "", "1:30", "９"])
    func integers(_ yaml: String) throws {
        #expect(try value("-42").integer() == -42)
        #expect(try value("0").integer(in: 0...1) == 0)
        let node = try value(yaml)
        #expect(throws: ConfigurationError.self) { _ = try node.integer() }
    }

    @Test(
        "Sizes are in bytes, with an optional unit",
        arguments: [("0", 0), ("512", 512), ("16k", 16384), ("10m", 10_485_760), ("5g", 5_368_709_120)])
    func sizes(yaml: String, bytes: Int) throws {
        #expect(try value(yaml).size() == bytes)
    }

    @Test("Durations have a unit", arguments: [("500ms", 500), ("90s", 90_000), ("15m", 900_000), ("7d", 604_800_000)])
    func durations(yaml: String, milliseconds: Int) throws {
        #expect(try value(yaml).duration(in: .zero ... .seconds(604_800)) == .milliseconds(milliseconds))
    }

    @Test(
        "Durations without a valid number and unit are rejected",
        arguments: ["15", "1.5h", "-1s", "s", "1 h", "\"1h\"", "9999999999999999999d", "1M"])
    func badQuantities(_ yaml: String) throws {
        let node = try value(yaml)
        #expect(throws: ConfigurationError.self) { _ = try node.duration(in: .zero ... .seconds(604_800)) }
        #expect(throws: ConfigurationError.self) { _ = try node.seconds(in: 0 ... .max) }
    }

    @Test func namesTheRange() throws {
        let node = try value("9")
        let error = #expect(throws: ConfigurationError.self) { _ = try node.integer(in: 1...8) }
        #expect(error?.description == "c.yaml:1:4: `v` must be 1 to 8, but is `9`")
    }
}
