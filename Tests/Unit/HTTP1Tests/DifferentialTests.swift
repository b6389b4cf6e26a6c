import Testing

@testable import HTTP1
@testable import HTTP1TestSupport

@Suite("Request parser against a naive implementation")
struct DifferentialTests {
    @Test("Both agree on every case of the table", arguments: MessageTable.all)
    func cases(_ input: String) {
        #expect(difference(Array(input.utf8), HTTPLimits()) == nil)
        #expect(difference(Array(input.utf8), .tight) == nil)
    }

    @Test("Both agree when any byte of a request is replaced or removed")
    func everyByte() {
        let input = Array(
            "\r\nPOST /a?b HTTP/1.1\r\nHost: a:1\r\nTransfer-Encoding: chunked\r\n\r\n1;a=\"b\"\r\nx\r\n0\r\nT: v\r\n\r\n"
                .utf8)
        for index in input.indices {
            var changed = input
            for byte in UInt8.min...UInt8.max {
                changed[index] = byte
                if let difference = difference(changed, HTTPLimits()) { Issue.record("\(difference)") }
            }
            changed.remove(at: index)
            #expect(difference(changed, HTTPLimits()) == nil)
        }
    }

    @Test("Both agree on 32,000 generated messages, intact and damaged", arguments: 0..<32)
    func generated(seed: UInt64) {
        var generator = RequestGenerator(seed: seed)
        for round in 0..<1000 {
            let input = generator.next()
            let limits = round % 2 == 0 ? HTTPLimits() : .tight
            if let difference = difference(input, limits) { Issue.record("\(difference)") }
        }
    }
}
