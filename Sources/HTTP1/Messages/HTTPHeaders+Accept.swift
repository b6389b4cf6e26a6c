import Text

extension HTTPHeaders {
    /// Whether `Accept` gives `text/plain` a higher weight than `application/json`, each by its most specific range
    /// (RFC 9110 section 12.5.1).
    package var prefersText: Bool {
        guard contains(.accept) else { return false }
        // The common case, without parsing ranges.
        if count(.accept) == 1, let value = first(.accept), value.span.equals("*/*") { return false }
        let ranges = values(.accept).flatMap { $0.split(separator: ASCII.comma) }.map { range in
            range.split(separator: UInt8(ascii: ";")).map { $0.trimming(ASCII.isBlank) }
        }
        /// Returns the weight of a type in thousandths, 0 without a range that matches it.
        func weight(_ names: [StaticString]) -> Int {
            for name in names {
                let weights = ranges.compactMap { range -> Int? in
                    guard let type = range.first, type.span.equalsIgnoringCase(name) else { return nil }
                    return range.dropFirst().compactMap(\.weight).first ?? 1000
                }
                if let weight = weights.max() { return weight }
            }
            return 0
        }
        return weight(["text/plain", "text/*", "*/*"]) > weight(["application/json", "application/*", "*/*"])
    }
}

extension ArraySlice<UInt8> {
    /// The value of `q=0.5` in thousandths; nil for other parameters, 0 if malformed.
    fileprivate var weight: Int? {
        guard count >= 3, span.startsIgnoringCase(with: "q=") else { return nil }
        let digits = dropFirst(2)
        guard let whole = digits.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), digits.count <= 5
        else {
            return 0
        }
        var weight = whole == UInt8(ascii: "1") ? 1000 : 0
        var unit = 100
        for digit in digits.dropFirst(2) where ASCII.isDigit(digit) {
            weight += Int(digit - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return Swift.min(weight, 1000)
    }
}
