/// A closed set of values of a metric's label. The raw value is the index of a value's counter, counted from 0.
package protocol MetricLabel: CaseIterable, RawRepresentable<Int>, Sendable {
    /// The value in the exposition text.
    var text: String { get }
}

extension MetricLabel {
    /// The name of the case.
    package var text: String { "\(self)" }
}

/// One value, such as a count, for each value of a label.
package struct PerLabel<Label: MetricLabel, Value: Sendable>: Sendable {
    private var values: [Value]

    /// The same value for each.
    package init(repeating value: Value) {
        values = Array(repeating: value, count: Label.allCases.count)
    }

    package subscript(label: Label) -> Value {
        get { values[label.rawValue] }
        set { values[label.rawValue] = newValue }
    }
}

extension PerLabel where Value == Int {
    /// Adds the counts of each label.
    package static func += (left: inout Self, right: Self) {
        for label in Label.allCases { left[label] += right[label] }
    }

    /// All counts together.
    package var sum: Int { values.reduce(0, +) }
}

extension MetricsText {
    /// A sample for each value of a label.
    ///
    /// - Parameter others: labels that all samples have, which stand first.
    package mutating func add<Label>(
        _ counts: PerLabel<Label, Int>, _ others: [MetricsText.Label] = [], by name: StaticString
    ) {
        for label in Label.allCases { add(counts[label], others + [(name, label.text)]) }
    }
}
