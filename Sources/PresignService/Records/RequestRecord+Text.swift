import AccessRules
import HTTP1
import System
import Telemetry
import Text

extension RequestRecord {
    /// Appends a line for a terminal, such as `12:03:04Z 200 POST /presign uploads/a.txt 0.3 ms`, with the reason of a
    /// refusal in parentheses.
    ///
    /// - Parameter time: the current time in RFC 3339 format.
    func appendText(at time: Span<UInt8>, to line: inout ByteBuffer) {
        line.append(timeOfDay: time)
        line.append(" ")
        line.append(decimal: status)
        if let method {
            line.append(" ")
            method.append(to: &line)
        }
        if let path {
            line.append(" ")
            line.append(visible: path.prefix(Self.maximumPathLength))
        }
        if let key {
            line.append(" ")
            line.append(visible: key.prefix(ObjectKeyCheck.maximumLength))
        }
        let tenths = Int(duration / 100_000)
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
