import TestSupport
import Testing
import Text

@Suite("A buffer of bytes")
struct ByteBufferTests {
    @Test("It holds what was appended, at any capacity", arguments: [0, 1, 7, 64])
    func growing(capacity: Int) {
        var buffer = ByteBuffer(capacity: capacity)
        var expected: [UInt8] = []
        for index in 0..<300 {
            let part = [UInt8](repeating: UInt8(index % 256), count: index % 9)
            buffer.append(part.span)
            buffer.append(UInt8(index % 256))
            buffer.append("ab")
            buffer.append(utf8: "\u{e9}")
            expected += part + [UInt8(index % 256)] + Array("ab\u{e9}".utf8)
            #expect(buffer.count == expected.count && buffer.count <= buffer.capacity)
        }
        #expect(buffer.bytes == expected)
        #expect(buffer.withBytes(5..<50) { [UInt8](copying: $0) } == Array(expected[5..<50]))
    }

    @Test("It holds what an array would hold after any sequence of operations", arguments: 0..<200 as Range<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func bytes() -> [UInt8] {
            (0..<Int.random(in: 0...Int.random(in: 0...90, using: &random), using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        }
        var buffer = ByteBuffer(capacity: Int.random(in: 0...40, using: &random))
        var model: [UInt8] = []
        for _ in 0..<60 {
            let more = bytes()
            switch Int.random(in: 0...8, using: &random) {
            case 0:
                buffer.append(more.span)
                model += more
            case 1:
                buffer.append(UInt8(more.count))
                model.append(UInt8(more.count))
            case 2:
                buffer.append("a literal")
                model += Array("a literal".utf8)
            case 3:
                let number = Int.random(in: .min ... .max, using: &random) >> more.count
                buffer.append(decimal: number)
                model += Array("\(number)".utf8)
            case 4:
                buffer.append(hexadecimal: more.span)
                model += Array(Hexadecimal.encode(more).utf8)
            case 5:
                let count = Int.random(in: 0...model.count, using: &random)
                buffer.truncate(to: count)
                model.removeSubrange(count...)
            case 6:
                let start = Int.random(in: 0...model.count, using: &random)
                let range = start..<Int.random(in: start...model.count, using: &random)
                #expect(buffer.withBytes(range) { [UInt8](copying: $0) } == Array(model[range]))
            case 7:
                // The finished bytes stay as they are, whatever happens to the next buffer.
                let finished = buffer.finish()
                buffer = ByteBuffer(capacity: more.count)
                buffer.append(finished)
                buffer.append(more)
                #expect(finished.array == model && finished.count == model.count)
                model += more
            default:
                var other = ByteBuffer(capacity: more.count)
                swap(&buffer, &other)
                other.withBytes(0..<other.count) { buffer.append($0) }
            }
            #expect(buffer.count == model.count && buffer.count <= buffer.capacity)
        }
        #expect(buffer.bytes == model)
    }

    @Test("The bytes of an array and of a buffer are the same when finished", arguments: [0, 1, 100])
    func finishing(count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        var buffer = ByteBuffer()
        buffer.append(bytes)
        for finished in [buffer.finish(), FinishedBytes(bytes)] {
            #expect(finished.array == bytes && finished.count == count)
            #expect(finished.withSpan { $0.equals(bytes) })
        }
    }

    @Test("A range beyond the bytes, and a longer truncation, stop the process")
    func bounds() async {
        await #expect(processExitsWith: .failure) {
            let buffer = ByteBuffer(capacity: 10)
            buffer.withBytes(0..<1) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            var buffer = ByteBuffer(capacity: 10)
            buffer.truncate(to: 1)
        }
    }

    @Test("Empty texts change nothing")
    func empty() {
        var buffer = ByteBuffer()
        buffer.append("")
        buffer.append(utf8: "")
        buffer.append([UInt8]().span)
        #expect(buffer.count == 0 && buffer.bytes == [])
        #expect(buffer.withBytes(0..<0) { $0.count } == 0)
    }

    @Test("A truncated buffer continues after its remaining bytes")
    func truncating() {
        var buffer = ByteBuffer()
        buffer.append("abcdef")
        buffer.truncate(to: 2)
        buffer.append("x")
        #expect(buffer.bytes == Array("abx".utf8))
        buffer.truncate(to: 0)
        #expect(buffer.bytes == [])
    }

    @Test("Hexadecimal digits are lowercase", arguments: [UInt8(0), 9, 10, 0x7F, 0xAF, 0xFF])
    func hexadecimal(byte: UInt8) {
        var buffer = ByteBuffer()
        buffer.append(hexadecimal: [byte].span)
        #expect(String(decoding: buffer.bytes, as: UTF8.self) == (byte < 16 ? "0" : "") + String(byte, radix: 16))
    }
}
