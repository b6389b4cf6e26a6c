/// The fixed values of a metric label. The raw value is the index of the value's counter, from 0.
public protocol MetricLabel: CaseIterable, RawRepresentable<Int>, Sendable {
    /// The label value in the metrics text.
    var text: String { get }
}

extension MetricLabel {
    /// The name of the case.
    public var text: String { "\(self)" }
}

/// A value, such as a count, for each label value.
public struct PerLabel<Label: MetricLabel, Value: Sendable>: Sendable {
    private var values: [Value]

    /// Creates the same value for each label value.
    public init(repeating value: Value) {
        values = Array(repeating: value, count: Label.allCases.count)
    }

    /// The value of a label value.
    public subscript(label: Label) -> Value {
        get { values[label.rawValue] }
        _modify { yield &values[label.rawValue] }
    }
}

extension PerLabel where Value == Int {
    /// Adds the counts for each label value.
    public static func += (left: inout Self, right: Self) {
        for label in Label.allCases { left[label] += right[label] }
    }

    /// The sum of all counts.
    public var sum: Int { values.reduce(0, +) }
}

extension MetricsText {
    /// Adds a sample for each label value.
    ///
    /// - Parameter others: the other labels of all samples, which come first.
    package mutating func add<Label>(
        _ counts: PerLabel<Label, Int>, _ others: [MetricsText.Label] = [], by name: StaticString
    ) {
        for label in Label.allCases { add(counts[label], others + [(name, label.text)]) }
    }
}
