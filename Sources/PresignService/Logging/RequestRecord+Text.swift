import Bytes
import HTTPServing

extension RequestRecord {
    /// Appends a line for a person at a terminal: `12:03:04Z 200 POST /presign uploads/a.txt 0.3 ms`, and the reason of
    /// a refusal.
    ///
    /// - Parameters:
    ///   - time: now, in the form of RFC 3339.
    ///   - ended: now.
    func appendText(status: Int, at time: Span<UInt8>, ended: MonotonicTime, to line: inout [UInt8]) {
        line.append(timeOfDay: time)
        line.append(" ")
        line.append(decimal: status)
        if let method {
            line.append(" ")
            line.append(contentsOf: method.bytes)
        }
        if let path {
            line.append(" ")
            line.append(visible: path.prefix(Self.longestPath))
        }
        if let key {
            line.append(" ")
            line.append(visible: key.prefix(ObjectKeyCheck.maximumLength))
        }
        let tenths = Int((ended.nanoseconds - started.nanoseconds) / 100_000)
        line.append(" ")
        line.append(decimal: tenths / 10)
        line.append(".")
        line.append(decimal: tenths % 10)
        line.append(" ms")
        if let reason {
            line.append(" (")
            line.append(visible: Array(reason.utf8)[...])
            line.append(")")
        }
        line.append("\n")
    }
}

extension [UInt8] {
    /// Appends `12:03:04Z` of a time in the form of RFC 3339.
    mutating func append(timeOfDay time: Span<UInt8>) {
        append(time.extracting("2026-01-01T".utf8.count..<time.count))
    }

    /// Appends text whose control characters cannot move a terminal's cursor: bytes beyond visible ASCII and the space
    /// become `%xx`.
    mutating func append(visible text: ArraySlice<UInt8>) {
        for byte in text {
            if 0x20...0x7E ~= byte {
                append(byte)
            } else {
                append("%")
                append(hexadecimal: [byte].span)
            }
        }
    }
}
