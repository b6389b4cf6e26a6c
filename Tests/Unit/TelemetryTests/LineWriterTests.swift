import Dispatch
import Synchronization
import Testing

@testable import System
@testable import Telemetry

@Suite("Line writer")
struct LineWriterTests {
    /// A disk with limited space.
    private final class Disk: Sendable {
        let state: Mutex<(room: Int, text: String)>

        init(room: Int) { state = Mutex((room, "")) }

        var text: String { state.withLock { $0.text } }

        func write(_ bytes: [UInt8]) throws(DescriptorWriter.Incomplete) {
            let written = state.withLock { state in
                let written = bytes.prefix(state.room)
                state.room -= written.count
                state.text += String(decoding: written, as: UTF8.self)
                return written.count
            }
            if written < bytes.count { throw .init(written: written, reason: SystemError(28)) }
        }
    }

    /// Lines written in turn, each with additional space, and the number of lost lines.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let steps: [(room: Int, lines: String, lost: Int)]
        let text: String
        var testDescription: String { name }
    }

    @Test(
        "No line is written partially, and lost lines are counted",
        arguments: [
            Case(name: "room for all", steps: [(9, "ab\n", 0), (0, "cd\n", 0)], text: "ab\ncd\n"),
            Case(name: "none at all", steps: [(0, "ab\ncd\n", 2), (9, "ef\n", 0)], text: "ef\n"),
            Case(name: "between two", steps: [(3, "ab\ncd\n", 1), (9, "ef\n", 0)], text: "ab\nef\n"),
            Case(name: "within one", steps: [(4, "ab\ncd\nef\n", 1), (9, "gh\n", 0)], text: "ab\ncd\ngh\n"),
            Case(name: "before a line feed", steps: [(2, "ab\n", 0), (9, "cd\n", 0)], text: "ab\ncd\n"),
            Case(name: "still within", steps: [(1, "abc\n", 0), (1, "de\n", 1), (9, "fg\n", 0)], text: "abc\nfg\n"),
            Case(name: "still none", steps: [(1, "ab\n", 0), (0, "cd\n", 1), (9, "ef\n", 0)], text: "ab\nef\n"),
            Case(name: "no more lines", steps: [(1, "ab\n", 0), (0, "", 0), (1, "", 0), (1, "", 0)], text: "ab\n"),
            Case(name: "no lines at all", steps: [(0, "", 0), (9, "", 0)], text: ""),
        ])
    func room(_ example: Case) {
        let disk = Disk(room: 0)
        let writer = LineWriter(disk.write) { _ in }
        for (room, lines, lost) in example.steps {
            disk.state.withLock { $0.room += room }
            #expect(writer.write(Array(lines.utf8)) == lost)
        }
        #expect(disk.text == example.text)
    }

    @Test("A flush writes the rest of a partial line, even if no line follows")
    func flush() {
        let disk = Disk(room: 1)
        let writer = LineWriter(disk.write) { _ in }
        let sink = LogSink(label: "test") { writer.write($0) }
        sink.append("ab\n".utf8.span)
        sink.flush()
        #expect(disk.text == "a")
        disk.state.withLock { $0.room = 9 }
        sink.flush()
        #expect(disk.text == "ab\n")
    }

    @Test("While the writer blocks, lines are accepted and written later")
    func blockedWriter() {
        let (gate, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let disk = Disk(room: 99)
        let writer = LineWriter({ bytes throws(DescriptorWriter.Incomplete) in
            begun.signal()
            gate.wait()
            try disk.write(bytes)
        }) { _ in }
        let sink = LogSink(label: "test") { writer.write($0) }
        sink.append("ab\n".utf8.span)
        begun.wait()
        // If it waited for the writer, it would never return.
        sink.append("cd\n".utf8.span)
        #expect(disk.text.isEmpty)
        for _ in 0..<2 { gate.signal() }
        sink.flush()
        #expect(disk.text == "ab\ncd\n")
    }

    @Test("The reason for lost lines is reported once a minute")
    func report() {
        let reports = Mutex(0)
        let writer = LineWriter(Disk(room: 0).write) { _ in reports.withLock { $0 += 1 } }
        let start = ContinuousClock.now
        for (seconds, count) in [(0, 1), (59, 1), (60, 2), (119, 2), (121, 3)] {
            _ = writer.write(Array("ab\n".utf8), at: start + .seconds(seconds))
            #expect(reports.withLock { $0 } == count)
        }
    }
}
