import Text

extension ConfigurationNode {
    /// Text, quoted or plain, exactly as written: `yes`, `012` and `1e3` stay what they are.
    ///
    /// - Throws: `ConfigurationError` for a list, a mapping, nothing (`~`, `null`), and text without a character.
    package func string() throws(ConfigurationError) -> String {
        guard case .scalar(let text, let isPlain) = content, !(isPlain && ["~", "null", "Null", "NULL"].contains(text))
        else { throw mismatch(expected: "text") }
        if text.isEmpty { throw mismatch(expected: "text with at least one character") }
        return text
    }

    /// `true` or `false`, unquoted. `yes`, `on`, `True` and `"true"` are refused: their meaning depends on the reader.
    ///
    /// - Throws: `ConfigurationError` for everything else.
    package func boolean() throws(ConfigurationError) -> Bool {
        switch content {
        case .scalar("true", isPlain: true): return true
        case .scalar("false", isPlain: true): return false
        default: throw mismatch(expected: "true or false (lower case, without quotes)", isShort: true)
        }
    }

    /// A whole decimal number without sign `+`, leading zeros, `_`, fraction, exponent or quotes.
    ///
    /// - Parameter range: the values allowed
    /// - Throws: `ConfigurationError` for everything else, naming the range.
    package func integer(in range: ClosedRange<Int> = .min ... .max) throws(ConfigurationError) -> Int {
        guard case .scalar(let text, isPlain: true) = content, let value = Self.wholeNumber(text) else {
            throw mismatch(expected: "a whole decimal number (no quotes, no leading zeros)", isShort: true)
        }
        guard range.contains(value) else { throw error("must be \(Self.text(of: range))") }
        return value
    }

    /// A number of bytes: digits, or digits and `k`, `m` or `g` (1024-based), such as `16k`.
    ///
    /// - Parameter range: the values allowed, bytes
    /// - Throws: `ConfigurationError` for everything else, naming the range.
    package func size(in range: ClosedRange<Int> = 0 ... .max) throws(ConfigurationError) -> Int {
        let units = [("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30), ("", 1)]
        guard let value = scaled(by: units) else {
            throw mismatch(expected: "a size such as 512, 16k, 10m or 5g (1024-based)", isShort: true)
        }
        guard range.contains(value) else { throw error("must be \(Self.text(of: range)) bytes") }
        return value
    }

    /// A time span with its unit: `500ms`, `90s`, `15m`, `12h`, `7d`. A number without a unit is refused.
    ///
    /// - Parameter range: the values allowed
    /// - Throws: `ConfigurationError` for everything else, naming the range.
    package func duration(in range: ClosedRange<Duration>) throws(ConfigurationError) -> Duration {
        let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)]
        guard let value = scaled(by: units) else {
            throw mismatch(expected: "a time such as 500ms, 90s, 15m, 12h or 7d", isShort: true)
        }
        let duration = Duration.milliseconds(value)
        guard range.contains(duration) else {
            throw error("must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return duration
    }

    /// A time span of whole seconds with its unit: `90s`, `15m`, `12h`, `7d`.
    ///
    /// - Parameter range: the values allowed, seconds
    /// - Throws: `ConfigurationError` for everything else, naming the range.
    package func seconds(in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
        guard let value = scaled(by: [("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]) else {
            throw mismatch(expected: "a time such as 90s, 15m, 12h or 7d", isShort: true)
        }
        guard range.contains(value) else { throw error("must be \(Self.text(of: range)) seconds") }
        return value
    }

    /// A number of times in a period: `100/s`, `20/m` or `5/h`.
    ///
    /// - Parameter range: the numbers allowed
    /// - Returns: the number, and the period in seconds.
    /// - Throws: `ConfigurationError` for everything else, naming the range.
    package func rate(in range: ClosedRange<Int>) throws(ConfigurationError) -> (count: Int, period: Int) {
        for (suffix, period) in [("/s", 1), ("/m", 60), ("/h", 3600)] {
            guard let count = scaled(by: [(suffix, 1)]) else { continue }
            guard range.contains(count) else { throw error("must be \(Self.text(of: range)) in a period") }
            return (count, period)
        }
        throw mismatch(expected: "a rate such as 100/s, 20/m or 5/h", isShort: true)
    }

    /// Whether the node is this word, unquoted.
    package func isPlain(_ word: String) -> Bool {
        if case .scalar(let text, isPlain: true) = content { text.utf8.elementsEqual(word.utf8) } else { false }
    }

    /// Digits and one of the units, first match wins; nil for anything else, also for what does not fit.
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
        case (let low, let high): "from \(low) to \(high)"
        }
    }

    /// One of the names of an enumeration.
    ///
    /// - Parameter choices: the cases allowed here; nil means all.
    /// - Throws: `ConfigurationError` for everything else, naming those allowed.
    package func choice<Choice: RawRepresentable & CaseIterable>(
        _: Choice.Type, among choices: [Choice]? = nil
    ) throws(ConfigurationError) -> Choice where Choice.RawValue == String {
        let text = try word(among: (choices ?? Array(Choice.allCases)).map(\.rawValue))
        guard let choice = Choice(rawValue: text) else { throw error("is unknown") }
        return choice
    }

    /// One of a few words.
    ///
    /// - Throws: `ConfigurationError` for everything else, with the words and the one that was probably meant.
    package func word(among words: [String]) throws(ConfigurationError) -> String {
        let text = try string()
        guard let word = words.first(where: { $0.utf8.elementsEqual(text.utf8) }) else {
            throw error(
                "must be \(words.count > 2 ? "one of " : "")\(words.alternatives)"
                    + Suggestion.text(for: text, among: words))
        }
        return word
    }

    /// Whether the node is the quoted empty text `""`; for values where nothing has a meaning.
    package var isEmptyText: Bool {
        if case .scalar(let text, isPlain: false) = content { text.isEmpty } else { false }
    }
}
