import Testing
import Text

@Suite("Index of a byte")
struct BytePositionTests {
    /// Between bytes that differ from it in the lowest or highest bit, at each index of whole words and the remainder.
    @Test("Finds every byte at every index", arguments: [1, 0x80] as [UInt8])
    func everyByte(_ difference: UInt8) {
        for byte in UInt8.min...UInt8.max {
            var bytes = [UInt8](repeating: byte ^ difference, count: 20)
            #expect(bytes.span.position(of: byte, from: 0) == 20)
            for place in bytes.indices.reversed() {
                bytes[place] = byte
                #expect(bytes.span.position(of: byte, from: 0) == place)
            }
        }
    }

    @Test(
        "Starts at an index, which may be the end",
        arguments: [(0, 0), (1, 2), (2, 2), (3, 15), (15, 15), (16, 17), (17, 17)])
    func fromAPlace(_ start: Int, _ place: Int) {
        #expect(Array("/a/bcdefghijklm/n".utf8).span.position(of: UInt8(ascii: "/"), from: start) == place)
    }
}
