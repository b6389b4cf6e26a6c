import Bytes
package import HTTPServing

/// The name of one request in answers and logs: the caller's `X-Request-Id` when it is sane, else a made one.
package struct RequestID: Sendable {
    /// 1 to 128 characters that are safe in headers and logs.
    package let bytes: [UInt8]
}

/// Makes request ids: a start that no other process or loop has, and a counter, so that none costs a call into the kernel.
package struct RequestIDSource {
    private let start: [UInt8]
    private var counter: UInt64 = 0

    /// - Parameter start: unique to the process and the loop.
    package init(start: String) {
        self.start = Array(start.utf8)
    }

    /// The id of a request with these headers.
    package mutating func id(for headers: HTTPHeaders?) -> RequestID {
        if let given = headers?.first(.requestID), Self.isSane(given) { return RequestID(bytes: Array(given)) }
        counter &+= 1
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: start.count + 17) { bytes in
            bytes.append(start)
            bytes.append(UInt8(ascii: "-"))
            var shift = max(0, (64 - counter.leadingZeroBitCount - 1) / 4 * 4)
            while shift >= 0 {
                let digit = UInt8(truncatingIfNeeded: counter >> UInt64(shift)) & 15
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
                shift -= 4
            }
        }
        return RequestID(bytes: bytes)
    }

    /// 1 to 128 of letters, digits and `-_.:/+=@~`: nothing that could break a log line or a header.
    private static func isSane(_ value: ArraySlice<UInt8>) -> Bool {
        1...128 ~= value.count
            && value.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "-_.:/+=@~".utf8.contains(byte)
                }
            }
    }
}
