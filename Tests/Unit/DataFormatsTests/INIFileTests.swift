import DataFormats
import Testing

@Suite("INI files")
struct INIFileTests {
    @Test(
        "Reports the first line that AWS tools would ignore",
        arguments: [
            ("[a]\nx = 1\ny=2\n", nil), ("# c\r\n[a]\r\n; c\r\nx = 1\r\n", nil), ("[a]\n\n  x = 1\n", nil),
            ("x = 1\n[a]\n", .ignoredLine(1)), ("[a]\nx\n", .ignoredLine(2)), ("[a\nx = 1\n", .ignoredLine(2)),
            ("[a]\r\nx = 1\r\n  y = 2\r\n", .ignoredLine(3)),
            ("[a]\nx = 1\n[b]\nx = 1\n[a]\nX = 2\ny\n", .repeatedSetting(name: "x", line: 6)),
        ] as [(String, INIFile.Mistake?)])
    func mistakes(text: String, mistake: INIFile.Mistake?) throws {
        let file = try #require(INIFile(Array(text.utf8)))
        #expect(file.firstMistake == mistake)
    }

    @Test("Settings are found by section and name; the last duplicate wins")
    func settings() throws {
        let text =
            "[profile \"a  b\"] # c\nKey = v = w # c\nempty =\n  nested = 1\nfull = 1\n  more = 2\n"
            + "[default]\nk = 1\nk = 2#3\n"
        let file = try #require(INIFile(Array(text.utf8)))
        #expect(
            file.sections == [
                "profile a b": ["key": "v = w", "empty": "", "empty.nested": "1", "full": "1"], "default": ["k": "2#3"],
            ])
        #expect(INIFile([0xEF, 0xBB, 0xBF]) == nil)
        #expect(INIFile([0xFF]) == nil)
    }
}
