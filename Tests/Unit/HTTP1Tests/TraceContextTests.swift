import Testing

@testable import HTTP1

@Suite("traceparent")
struct TraceContextTests {
    private static let ids = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331"
    private static let valid = "00-\(ids)-01"

    /// The cases of W3C Trace Context, level 1, sections 3.2.2 and 4.3.
    @Test(
        "A valid header is accepted as a whole, an invalid one ignored",
        arguments: [
            (valid, valid), ("00-\(ids)-00", "00-\(ids)-00"), ("00-\(ids)-ff", "00-\(ids)-ff"),
            // The known part of a later version is used.
            ("01-\(ids)-01", "01-\(ids)-01"), ("fe-\(ids)-01-what-is-next", "fe-\(ids)-01"),
            ("01-\(ids)-01-", "01-\(ids)-01"),
            ("ff-\(ids)-01", nil), ("00-\(ids)-01-", nil), ("00-\(ids)-01-more", nil), ("00-\(ids)-01x", nil),
            ("01-\(ids)-01x", nil), ("01-\(ids)-01.x", nil), ("00-\(ids)-1", nil), ("00-\(ids)", nil), ("", nil),
            ("-", nil),
            ("00-\(ids.uppercased())-01", nil), ("0A-\(ids)-01", nil), ("00-\(ids)-0A", nil), ("0g-\(ids)-01", nil),
            ("00-00000000000000000000000000000000-b7ad6b7169203331-01", nil),
            ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", nil),
            ("00-0af7651916cd43dd8448eb211c80319-b7ad6b71692033311-01", nil),
            ("00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01", nil),
            ("00-0af7651916cd43dd8448eb211c80319\"-b7ad6b7169203331-01", nil),
            ("00-0af7651916cd43dd8448eb211c80319 -b7ad6b7169203331-01", nil), ("\(valid),\(valid)", nil),
        ] as [(String, String?)])
    func forms(value: String, taken: String?) {
        let headers = HTTPHeaders([("tracestate", "a=b"), ("TraceParent", value)])
        #expect(TraceContext(headers).map(Self.text) == taken)
    }

    @Test("Any invalid character makes it invalid")
    func positions() {
        for index in 0..<55 {
            for byte: UInt8 in [0x00, 0x0A, 0x20, 0x22, 0x2F, 0x3A, 0x41, 0x46, 0x47, 0x60, 0x67, 0x7F, 0x80, 0xFF] {
                var bytes = Array(Self.valid.utf8)
                bytes[index] = byte
                #expect(TraceContext(bytes.span) == nil, "\(byte) at \(index)")
            }
        }
    }

    @Test("Duplicate headers are ignored, even if equal")
    func repeated() {
        #expect(TraceContext(HTTPHeaders([("traceparent", Self.valid), ("traceparent", Self.valid)])) == nil)
        #expect(TraceContext(HTTPHeaders()) == nil)
    }

    private static func text(_ context: TraceContext) -> String {
        String(decoding: context.text.indices.map { context.text[$0] }, as: UTF8.self)
    }
}
