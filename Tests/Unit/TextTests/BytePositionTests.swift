import Testing
import Text

@Suite("Where a byte stands")
struct BytePositionTests {
    /// Among bytes that differ from it in the lowest or the highest bit, and before itself: at each place of words and rest.
    @Test("Every byte, at every place", arguments: [1, 0x80] as [UInt8])
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
        "From a place on, which may be the end",
        arguments: [(0, 0), (1, 2), (2, 2), (3, 15), (15, 15), (16, 17), (17, 17)])
    func fromAPlace(_ start: Int, _ place: Int) {
        #expect(Array("/a/bcdefghijklm/n".utf8).span.position(of: UInt8(ascii: "/"), from: start) == place)
    }
}
