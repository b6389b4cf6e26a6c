import Text

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
        text { $0.append(addingCapacity: Self.rfc3339Count) { appendRFC3339(to: &$0) } }
    }

    /// The bytes of every moment's RFC 3339 form.
    package static var rfc3339Count: Int { 20 }

    /// Appends the form of RFC 3339.
    package func appendRFC3339(to output: inout OutputSpan<UInt8>) {
        let date = CivilDate(daysSince1970: dayNumber)
        let second = Int(secondsSince1970 % 86_400)
        output.append(twoDigits: date.year / 100)
        output.append(twoDigits: date.year)
        output.append(0x2D)
        output.append(twoDigits: date.month)
        output.append(0x2D)
        output.append(twoDigits: date.day)
        output.append(0x54)
        output.append(twoDigits: second / 3600)
        output.append(0x3A)
        output.append(twoDigits: second / 60 % 60)
        output.append(0x3A)
        output.append(twoDigits: second % 60)
        output.append(0x5A)
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
