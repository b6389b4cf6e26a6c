package import HTTP1
import Text

/// A request's place in a distributed trace as its caller gave it: the header `traceparent` of W3C Trace Context, level 1
/// (section 3.2). What does not keep to its form is as good as absent.
///
/// Nothing is added to the trace, and it decides nothing: the logs name it, so that they can be joined with those of others.
package struct TraceContext: Sendable {
    /// `version-trace-parent-flags` in lower-case hexadecimal: nothing that would have to be escaped anywhere.
    /// What a later version puts behind the flags is left out.
    package let text: InlineArray<55, UInt8>

    /// Nil when there is no such header, or more than one: which of them counts would be a guess.
    package init?(_ headers: borrowing HTTPHeaders) {
        guard headers.count(.traceParent) == 1, let value = headers.first(.traceParent) else { return nil }
        self.init(value.span)
    }

    /// The value of the header, without blanks around it.
    package init?(_ value: Span<UInt8>) {
        guard Self.isValid(value) else { return nil }
        text = InlineArray { value[$0] }
    }

    /// The bytes of `text`.
    private static let length = 55

    private static func isValid(_ value: Span<UInt8>) -> Bool {
        guard value.count >= length else { return false }
        let version = value.extracting(0..<2)
        guard isHexadecimal(version, 0..<2), !version.equals("ff") else { return false }
        guard value[2] == dash, value[35] == dash, value[52] == dash else { return false }
        // Version 00 ends here; a later one may go on, behind another dash (section 4.3 of the recommendation).
        if value.count > length, version.equals("00") || value[length] != dash { return false }
        return isIdentifier(value, 3..<35) && isIdentifier(value, 36..<52) && isHexadecimal(value, 53..<55)
    }

    /// Whether the digits are an id; one of zeros alone is none.
    private static func isIdentifier(_ value: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard isHexadecimal(value, range) else { return false }
        for index in range where value[index] != UInt8(ascii: "0") { return true }
        return false
    }

    private static func isHexadecimal(_ value: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where !ASCII.isLowercaseHexadecimal(value[index]) { return false }
        return true
    }

    private static let dash = UInt8(ascii: "-")
}
