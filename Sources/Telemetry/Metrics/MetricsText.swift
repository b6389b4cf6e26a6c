package import System
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

extension MetricsText {
    /// Appends the standard process metrics (Prometheus, "Writing client libraries"). Omits unknown values.
    package mutating func appendProcess(_ usage: ProcessUsage) {
        begin("process_cpu_seconds_total", .counter, "Total user and system CPU time spent in seconds.")
        add(nanoseconds: usage.processorNanoseconds)
        if let memory = usage.memory {
            begin("process_resident_memory_bytes", .gauge, "Resident memory size in bytes.")
            add(memory.resident)
            begin("process_virtual_memory_bytes", .gauge, "Virtual memory size in bytes.")
            add(memory.mapped)
        }
        if let count = usage.openDescriptors {
            begin("process_open_fds", .gauge, "Number of open file descriptors.")
            add(count)
        }
        if let limit = usage.mostDescriptors {
            begin("process_max_fds", .gauge, "Maximum number of open file descriptors.")
            add(limit)
        }
        if let start = usage.start {
            begin("process_start_time_seconds", .gauge, "Start time of the process in seconds since the Unix epoch.")
            add(nanoseconds: start)
        }
    }
}

/// A histogram of durations with fixed bounds, from 50 µs (a request without I/O) to 10 s (a storage timeout).
package struct LatencyHistogram: Sendable {
    /// The inclusive upper bounds of the buckets in nanoseconds. The last bucket has none.
    static let bounds = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// The number of durations in each bucket, not cumulative.
    package private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// The sum of all durations in nanoseconds.
    package private(set) var nanoseconds = 0

    /// Creates an empty histogram.
    package init() {}

    /// Counts a duration.
    package mutating func note(nanoseconds duration: Int) {
        counts[Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count] += 1
        nanoseconds &+= duration
    }

    /// Adds the counts and the sum of another histogram.
    package static func += (left: inout LatencyHistogram, right: LatencyHistogram) {
        for bucket in left.counts.indices { left.counts[bucket] += right.counts[bucket] }
        left.nanoseconds &+= right.nanoseconds
    }

    package var isEmpty: Bool { counts.allSatisfy { $0 == 0 } }
}
