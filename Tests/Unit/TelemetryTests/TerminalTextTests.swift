import Testing
import Text

@testable import Telemetry

@Suite("Log lines for a terminal")
struct TerminalTextTests {
    @Test(
        "Bytes that could control the terminal are escaped",
        arguments: [
            ("uploads/a b.txt", "uploads/a b.txt"), ("a\u{1b}[2J", "a%1b[2J"), ("a\nb\r\u{7f}", "a%0ab%0d%7f"),
            ("\u{e9}\u{9b}", "%c3%a9%c2%9b"),
        ])
    func visible(text: String, shown: String) {
        var line = ByteBuffer()
        line.append(visible: Array(text.utf8)[...])
        #expect(String(decoding: line.bytes, as: UTF8.self) == shown)
    }

    @Test("Only the time of day is shown")
    func timeOfDay() {
        var line = ByteBuffer()
        line.append(timeOfDay: Array("2026-11-23T12:03:04Z".utf8).span)
        #expect(String(decoding: line.bytes, as: UTF8.self) == "12:03:04Z")
    }
}
