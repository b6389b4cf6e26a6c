import Testing
import Text

@Suite("Writing decimal numbers")
struct DecimalTests {
    private static func text(_ number: Int) -> String {
        var output = ByteBuffer()
        output.append(decimal: number)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test("All small numbers")
    func small() {
        for number in -1_000...100_000 { #expect(Self.text(number) == String(number)) }
    }

    @Test("Numbers around each power of ten, and the ends")
    func large() {
        var power = 1
        for _ in 0..<18 {
            power *= 10
            for number in [power - 1, power, power + 1, -power] { #expect(Self.text(number) == String(number)) }
        }
        #expect(Self.text(.max) == String(Int.max) && Self.text(.min) == String(Int.min))
        var number = 1
        for _ in 0..<10_000 {
            number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            #expect(Self.text(number) == String(number))
        }
    }
}
