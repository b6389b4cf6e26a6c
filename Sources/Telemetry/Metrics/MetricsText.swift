import Text

/// Writes metrics in the Prometheus text exposition format, version 0.0.4.
package struct MetricsText: ~Copyable {
    /// The type of a metric family.
    package enum Kind {
        case counter, gauge, histogram

        package var text: StaticString {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    /// A label. The value is escaped, the name must not need escaping.
    package typealias Label = (name: StaticString, value: String)

    private var output = ByteBuffer()
    private var family: StaticString = ""

    /// Creates an empty text.
    package init() {}

    /// The text so far.
    package var bytes: [UInt8] { output.bytes }

    /// Begins a metric family, to which the following samples belong.
    ///
    /// - Parameter help: the help text, without backslashes and line feeds.
    package mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        family = name
        output.append("# HELP ")
        output.append(name)
        output.append(" ")
        output.append(help)
        output.append("\n# TYPE ")
        output.append(name)
        output.append(" ")
        output.append(kind.text)
        output.append("\n")
    }

    /// Adds a sample with an integer value.
    package mutating func add(_ value: Int, _ labels: [Label] = []) {
        beginSample("", labels)
        output.append(decimal: value)
        output.append("\n")
    }

    /// Adds a sample in seconds.
    package mutating func add(nanoseconds: Int, _ labels: [Label] = []) {
        beginSample("", labels)
        append(nanoseconds: nanoseconds)
        output.append("\n")
    }

    /// Adds all samples of a histogram, in seconds.
    package mutating func add(_ histogram: LatencyHistogram, _ labels: [Label] = []) {
        var count = 0
        for (bucket, bound) in zip(histogram.counts, LatencyHistogram.bounds.map { Optional($0) } + [nil]) {
            count += bucket
            beginSample("_bucket", labels + [("le", bound.map(Self.seconds) ?? "+Inf")])
            output.append(decimal: count)
            output.append("\n")
        }
        beginSample("_sum", labels)
        append(nanoseconds: histogram.nanoseconds)
        output.append("\n")
        beginSample("_count", labels)
        output.append(decimal: count)
        output.append("\n")
    }

    private mutating func beginSample(_ suffix: StaticString, _ labels: [Label]) {
        output.append(family)
        output.append(suffix)
        for (index, label) in labels.enumerated() {
            output.append(index == 0 ? "{" : ",")
            output.append(label.name)
            output.append("=\"")
            append(escaping: label.value)
            output.append("\"")
        }
        output.append(labels.isEmpty ? " " : "} ")
    }

    /// Appends a label value. The format escapes only backslashes, quotes and line feeds.
    private mutating func append(escaping value: String) {
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): output.append(#"\\"#)
            case UInt8(ascii: "\""): output.append(#"\""#)
            case UInt8(ascii: "\n"): output.append(#"\n"#)
            default: output.append(byte)
            }
        }
    }

    private mutating func append(nanoseconds: Int) {
        output.append(utf8: Self.seconds(nanoseconds))
    }

    /// Returns nanoseconds as seconds, without rounding.
    package static func seconds(_ nanoseconds: Int) -> String {
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        var text = (nanoseconds < 0 ? "-" : "") + String(whole)
        guard rest > 0 else { return text }
        let digits = String(rest + 1_000_000_000).dropFirst()
        text += "." + digits
        while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
        return text
    }
}
