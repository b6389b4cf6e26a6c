import Text

/// The trace context of a request, from the header `traceparent` (W3C Trace Context level 1, section 3.2).
///
/// It appears only in logs, so that they can be correlated with those of other services. presign creates no spans.
package struct TraceContext: Sendable {
    /// `version-trace-parent-flags` in lower-case hexadecimal, which needs no escaping. Fields that later versions
    /// append are omitted.
    package let text: InlineArray<55, UInt8>

    /// Creates a context, or returns nil if the header is missing, invalid or a duplicate.
    package init?(_ headers: borrowing HTTPHeaders) {
        guard headers.count(.traceParent) == 1, let value = headers.first(.traceParent) else { return nil }
        self.init(value.span)
    }

    /// Creates a context from the value of the header without surrounding blanks, or returns nil if it is invalid.
    package init?(_ value: Span<UInt8>) {
        guard Self.isValid(value) else { return nil }
        text = InlineArray { value[$0] }
    }

    /// The length of `text` in bytes.
    private static let length = 55

    private static func isValid(_ value: Span<UInt8>) -> Bool {
        guard value.count >= length else { return false }
        let version = value.extracting(0..<2)
        guard isHexadecimal(version, 0..<2), !version.equals("ff") else { return false }
        guard value[2] == dash, value[35] == dash, value[52] == dash else { return false }
        // Version 00 ends here. Later versions can append fields after another dash (section 4.3).
        if value.count > length, version.equals("00") || value[length] != dash { return false }
        return isIdentifier(value, 3..<35) && isIdentifier(value, 36..<52) && isHexadecimal(value, 53..<55)
    }

    /// Returns whether the digits are a valid id, which has a digit other than zero.
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
