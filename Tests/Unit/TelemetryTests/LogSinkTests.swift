import Dispatch
import Presigning
import Synchronization
import Testing
import Text

@testable import Telemetry

@Suite("Log sink")
struct LogSinkTests {
    private final class Collector: Sendable {
        let text = Mutex("")
        func take(_ bytes: [UInt8]) -> Int {
            text.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
            return 0
        }
    }

    @Test("Lines arrive in order, and a flush waits for them")
    func order() {
        let collector = Collector()
        let sink = LogSink(label: "test") { collector.take($0) }
        for number in 0..<1000 { sink.append("\(number)\n".utf8.span) }
        sink.flush()
        #expect(collector.text.withLock { $0 } == (0..<1000).map { "\($0)\n" }.joined())
    }

    @Test("A blocked writer does not block a flush")
    func hangingWriter() {
        let gate = DispatchSemaphore(value: 0)
        let sink = LogSink(label: "test") { lines in
            if !lines.isEmpty { gate.wait() }
            return 0
        }
        sink.append("line\n".utf8.span)
        sink.flush(within: 0)
        // Reached while the writer is still blocked. Release it so that its queue ends.
        gate.signal()
        sink.flush()
    }

    @Test("Lines that do not fit are dropped whole and counted, without waiting for the writer")
    func overflow() {
        let collector = Collector()
        let sink = LogSink(label: "test", capacity: 10) { collector.take($0) }
        // Nothing is written before all lines were submitted, however long that takes.
        let gate = DispatchSemaphore(value: 0)
        sink.perform { gate.wait() }
        for line in ["12345678\n", "12345678\n", "12345678\n"] { sink.append(line.utf8.span) }
        gate.signal()
        sink.flush(within: 60)
        #expect(collector.text.withLock { $0 } == "12345678\n" + #"{"event":"log-lines-dropped","count":2}"# + "\n")
    }

    @Test("Lines that could not be written are counted, and so is a lost report of them")
    func lost() {
        let collector = Collector()
        let isFull = Mutex(true)
        let sink = LogSink(label: "test") { bytes in
            isFull.withLock { $0 } ? bytes.count { $0 == UInt8(ascii: "\n") } : collector.take(bytes)
        }
        for (lines, dropped) in [(["a\n", "b\n"], 2), (["c\n"], 3)] {
            for line in lines { sink.append(line.utf8.span) }
            // Lines lost later were still accepted. A counter that decreased would look like a restart.
            #expect(sink.lines.taken == dropped)
            sink.flush()
            #expect(sink.lines.taken == dropped && sink.lines.dropped == dropped)
        }
        isFull.withLock { $0 = false }
        sink.append("d\n".utf8.span)
        sink.flush()
        #expect(collector.text.withLock { $0 } == "d\n" + #"{"event":"log-lines-dropped","count":3}"# + "\n")
        #expect(sink.lines.taken == 4 && sink.lines.dropped == 3)
    }

    @Test("Lines of a guest sink are written with the others and counted only by the guest")
    func guest() throws {
        let sink = LogSink(label: "test") { bytes in bytes.count { $0 == UInt8(ascii: "\n") } }
        var configuration = AuditConfiguration()
        configuration.destination = .standardOutput
        let audit = try #require(try AuditStream.open(configuration, standardOutput: sink) { _ in })
        let lane = audit.makeBuffer()
        for _ in 0..<2 { audit.append(to: lane) { $1.append("a\n") } }
        sink.append("b\n".utf8.span)
        sink.flush()
        #expect(audit.lines.taken == 2 && audit.lines.dropped == 2)
        #expect(sink.lines.taken == 1 && sink.lines.dropped == 1)
    }

    @Test("A line gets the time at which it is appended")
    func time() {
        let sink = LogSink(label: "test") { _ in 0 }
        let start = SigningTime.now()
        var text = ""
        sink.append(to: sink.makeBuffer()) { time, _ in
            text = String(decoding: time.indices.map { time[$0] }, as: UTF8.self)
        }
        #expect((start.rfc3339Text...SigningTime.now().rfc3339Text).contains(text))
    }
}
