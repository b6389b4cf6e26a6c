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
