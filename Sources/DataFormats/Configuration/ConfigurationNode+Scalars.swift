import Text

extension ConfigurationNode {
    /// Returns the text of a scalar, quoted or plain, including `yes`, `012` and `1e3`.
    ///
    /// - Throws: `ConfigurationError` for a list, a mapping, null (`~`, `null`), and an empty text.
    package func string() throws(ConfigurationError) -> String {
        guard case .scalar(let text, let isPlain) = content, !(isPlain && ["~", "null", "Null", "NULL"].contains(text))
        else { throw mismatch(expected: "text") }
        if text.isEmpty { throw mismatch(expected: "text with at least one character") }
        return text
    }

    /// Returns the value of an unquoted `true` or `false`.
    ///
    /// - Throws: `ConfigurationError` for everything else, such as `yes`, `on`, `True` and `"true"`, whose meaning
    ///   depends on the YAML parser.
    package func boolean() throws(ConfigurationError) -> Bool {
        switch content {
        case .scalar("true", isPlain: true): return true
        case .scalar("false", isPlain: true): return false
        default: throw mismatch(expected: "true or false (lower case, without quotes)", isShort: true)
        }
    }

    /// Returns the value of a decimal integer without sign `+`, leading zeros, `_`, fraction, exponent and quotes.
    ///
    /// - Parameter range: the allowed values.
    /// - Throws: `ConfigurationError` for everything else, with the allowed range.
    package func integer(in range: ClosedRange<Int> = .min ... .max) throws(ConfigurationError) -> Int {
        guard case .scalar(let text, isPlain: true) = content, let value = Self.wholeNumber(text) else {
            throw mismatch(expected: "a whole decimal number (no quotes, no leading zeros)", isShort: true)
        }
        guard range.contains(value) else { throw mismatch(expected: Self.text(of: range), isShort: true) }
        return value
    }

    /// Returns a size in bytes, written as a number with an optional `k`, `m` or `g` (1024-based), such as `16k`.
    ///
    /// - Parameter range: the allowed values in bytes.
    /// - Throws: `ConfigurationError` for everything else, with the allowed range.
    package func size(in range: ClosedRange<Int> = 0 ... .max) throws(ConfigurationError) -> Int {
        let units = [("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30), ("", 1)]
        guard let value = scaled(by: units) else {
            throw mismatch(expected: "a size such as 512, 16k, 10m or 5g (1024-based)", isShort: true)
        }
        guard range.contains(value) else { throw mismatch(expected: "\(Self.text(of: range)) bytes", isShort: true) }
        return value
    }

    /// Returns a duration, written with a unit: `500ms`, `90s`, `15m`, `12h`, `7d`.
    ///
    /// - Parameter range: the allowed values.
    /// - Throws: `ConfigurationError` for everything else, with the allowed range.
    package func duration(in range: ClosedRange<Duration>) throws(ConfigurationError) -> Duration {
        let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
        guard let value = scaled(by: units) else {
            throw mismatch(expected: "a time such as 500ms, 90s, 15m, 12h or 7d", isShort: true)
        }
        let duration = Duration.milliseconds(value)
        guard range.contains(duration) else {
            throw mismatch(expected: "\(range.lowerBound) to \(range.upperBound)", isShort: true)
        }
        return duration
    }

    /// Returns a duration in whole seconds, written with a unit: `90s`, `15m`, `12h`, `7d`.
    ///
    /// - Parameter range: the allowed values in seconds.
    /// - Throws: `ConfigurationError` for everything else, with the allowed range.
    package func seconds(in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        guard let value = scaled(by: [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]) else {
            throw mismatch(expected: "a time such as 90s, 15m, 12h or 7d", isShort: true)
        }
        guard range.contains(value) else { throw mismatch(expected: "\(Self.text(of: range)) seconds", isShort: true) }
        return value
    }

    /// Returns a rate, written as a number per period: `100/s`, `20/m` or `5/h`.
    ///
    /// - Parameter range: the allowed numbers.
    /// - Returns: the number, and the period in seconds.
    /// - Throws: `ConfigurationError` for everything else, with the allowed range.
    package func rate(in range: ClosedRange<Int>) throws(ConfigurationError) -> (count: Int, period: Int) {
        for (suffix, period) in [("/s", 1), ("/m", 60), ("/h", 3600)] {
            guard let count = scaled(by: [(suffix, 1)]) else { continue }
            guard range.contains(count) else {
                throw mismatch(expected: "\(Self.text(of: range)) per period", isShort: true)
            }
            return (count, period)
        }
        throw mismatch(expected: "a rate such as 100/s, 20/m or 5/h", isShort: true)
    }

    /// Returns whether the node is the given word without quotes.
    package func isPlain(_ word: String) -> Bool {
        if case .scalar(let text, isPlain: true) = content { text.utf8.elementsEqual(word.utf8) } else { false }
    }

    /// Returns the value of digits followed by the first matching unit, or nil for other texts and on overflow.
    private func scaled(by units: [(suffix: String, factor: Int)]) -> Int? {
        guard case .scalar(let text, isPlain: true) = content,
            let unit = units.first(where: { text.hasSuffix($0.suffix) }),
            let number = Self.wholeNumber(String(text.dropLast(unit.suffix.count))), number >= 0
        else { return nil }
        let (value, overflow) = number.multipliedReportingOverflow(by: unit.factor)
        return overflow ? nil : value
    }

    private static func wholeNumber(_ text: String) -> Int? {
        text.utf8.elementsEqual("-0".utf8) ? nil : Int(canonicalDecimal: text.utf8.span)
    }

    private static func text(of range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (let low, .max): "at least \(low)"
        case (let low, let high): "\(low) to \(high)"
        }
    }

    /// Returns the enumeration case that the text names.
    ///
    /// - Parameter choices: the allowed cases. Nil allows all.
    /// - Throws: `ConfigurationError` for everything else, with the allowed names.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _: Choice.Type, among choices: [Choice]? = nil
    ) throws(ConfigurationError) -> Choice where Choice.RawValue == String {
        let choices = choices ?? Array(Choice.allCases)
        return choices[try wordIndex(among: choices.map(\.rawValue))]
    }

    /// Returns the text if it is one of the given words.
    ///
    /// - Throws: `ConfigurationError` for everything else, with the words and the most similar one.
    package func word(among words: [String]) throws(ConfigurationError) -> String {
        words[try wordIndex(among: words)]
    }

    private func wordIndex(among words: [String]) throws(ConfigurationError) -> Int {
        let text = try string()
        guard let index = words.firstIndex(where: { $0.utf8.elementsEqual(text.utf8) }) else {
            throw error(
                "must be \(words.count > 2 ? "one of " : "")\(words.alternatives)"
                    + Suggestion.text(for: text, among: words))
        }
        return index
    }

    /// Whether the node is the quoted empty text `""`, for values where that has a meaning.
    package var isEmptyText: Bool {
        if case .scalar(let text, isPlain: false) = content { text.isEmpty } else { false }
    }
}
