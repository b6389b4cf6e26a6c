extension SigningTime {
    /// Appends the form of `X-Amz-Date`, `YYYYMMDD'T'HHMMSS'Z'`.
    func appendBasic(to output: inout [UInt8]) {
        appendDay(to: &output)
        output.append(0x54)
        appendClock(separator: nil, to: &output)
        output.append(0x5a)
    }

    /// Appends the day of a credential scope, `YYYYMMDD`.
    func appendDay(to output: inout [UInt8]) {
        let date = CivilDate(daysSince1970: dayNumber)
        Self.append(date.year, digits: 4, to: &output)
        Self.append(date.month, digits: 2, to: &output)
        Self.append(date.day, digits: 2, to: &output)
    }

    /// The form of `X-Amz-Date`, for example `20130524T000000Z`.
    public var basicText: String {
        text { appendBasic(to: &$0) }
    }

    /// RFC 3339, for example `2013-05-24T00:00:00Z`.
    public var rfc3339Text: String {
        text { appendRFC3339(to: &$0) }
    }

    /// Appends the form of RFC 3339.
    package func appendRFC3339(to output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: Self.form)
        let date = CivilDate(daysSince1970: dayNumber)
        let second = Int(secondsSince1970 % 86_400)
        var text = output.mutableSpan
        Self.put(date.year / 100, at: start, of: &text)
        Self.put(date.year % 100, at: start + 2, of: &text)
        Self.put(date.month, at: start + 5, of: &text)
        Self.put(date.day, at: start + 8, of: &text)
        Self.put(second / 3600, at: start + 11, of: &text)
        Self.put(second / 60 % 60, at: start + 14, of: &text)
        Self.put(second % 60, at: start + 17, of: &text)
    }

    private static let form = Array("0000-00-00T00:00:00Z".utf8)

    /// Two digits.
    private static func put(_ value: Int, at index: Int, of text: inout MutableSpan<UInt8>) {
        text[index] = 0x30 + UInt8(truncatingIfNeeded: value / 10)
        text[index + 1] = 0x30 + UInt8(truncatingIfNeeded: value % 10)
    }

    /// The date of HTTP headers (RFC 9110, section 5.6.7), for example `Fri, 24 May 2013 00:00:00 GMT`.
    public var httpDateText: String {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]  // 1970-01-01 was a Thursday
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = CivilDate(daysSince1970: dayNumber)
        let clock = text { appendClock(separator: 0x3a, to: &$0) }
        let day = text { Self.append(date.day, digits: 2, to: &$0) }
        let year = text { Self.append(date.year, digits: 4, to: &$0) }
        return "\(weekdays[dayNumber % 7]), \(day) \(months[date.month - 1]) \(year) \(clock) GMT"
    }

    /// Days since 1970-01-01: two moments have the same scope day exactly when this is equal.
    var dayNumber: Int { Int(secondsSince1970 / 86_400) }

    private func appendClock(separator: UInt8?, to output: inout [UInt8]) {
        let second = Int(secondsSince1970 % 86_400)
        Self.append(second / 3600, digits: 2, to: &output)
        if let separator { output.append(separator) }
        Self.append(second / 60 % 60, digits: 2, to: &output)
        if let separator { output.append(separator) }
        Self.append(second % 60, digits: 2, to: &output)
    }

    private static func append(_ value: Int, digits: Int, to output: inout [UInt8]) {
        if digits == 4 {
            output.append(0x30 + UInt8(value / 1000 % 10))
            output.append(0x30 + UInt8(value / 100 % 10))
        }
        output.append(0x30 + UInt8(value / 10 % 10))
        output.append(0x30 + UInt8(value % 10))
    }

    private func text(_ write: (inout [UInt8]) -> Void) -> String {
        var output: [UInt8] = []
        write(&output)
        return String(decoding: output, as: UTF8.self)
    }
}

extension SigningTime: CustomStringConvertible {
    /// As `rfc3339Text`.
    public var description: String { rfc3339Text }
}
