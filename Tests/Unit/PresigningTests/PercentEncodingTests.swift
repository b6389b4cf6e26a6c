import Testing

@testable import Presigning

/// Compares with the rule itself: letters, digits and `-._~` stay, and slashes stay where they separate path segments.
@Suite struct PercentEncodingTests {
    static func plainly(_ bytes: [UInt8], keepingSlashes: Bool) -> String {
        bytes.map { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                return String(Unicode.Scalar(byte))
            case UInt8(ascii: "/") where keepingSlashes: return "/"
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }.joined()
    }

    @Test("Encodes every byte at every index and at the end")
    func everyByteEverywhere() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<20 {
                var bytes = Array("users/7f3c9a52/photo".utf8)
                bytes[place] = byte
                for text in [bytes, Array(bytes[...place])] {
                    let (path, query) = (PercentEncoding.path.encode(text), PercentEncoding.query.encode(text))
                    #expect(String(decoding: path, as: UTF8.self) == Self.plainly(text, keepingSlashes: true))
                    #expect(String(decoding: query, as: UTF8.self) == Self.plainly(text, keepingSlashes: false))
                }
            }
        }
    }

    @Test("Encodes all bytes, starting at each one")
    func allBytes() {
        let all = (UInt8.min...UInt8.max).map { $0 }
        for start in all.indices {
            let text = Array(all[start...])
            let path = String(decoding: PercentEncoding.path.encode(text), as: UTF8.self)
            #expect(path == Self.plainly(text, keepingSlashes: true))
        }
    }
}
