import TestSupport
import Testing

@testable import Telemetry

@Suite("Metrics as text")
struct MetricsTextTests {
    @Test("A value on a bucket's bound belongs to it, and a larger one to the next")
    func buckets() {
        func bucket(of nanoseconds: Int) -> Int? {
            var histogram = LatencyHistogram()
            histogram.note(nanoseconds: nanoseconds)
            #expect(histogram.nanoseconds == nanoseconds && histogram.counts.reduce(0, +) == 1)
            return histogram.counts.firstIndex(of: 1)
        }
        for (index, bound) in LatencyHistogram.bounds.enumerated() {
            #expect(bucket(of: bound) == index && bucket(of: bound + 1) == index + 1)
        }
        #expect(bucket(of: -1) == 0 && bucket(of: .max) == 17)
        #expect(LatencyHistogram.bounds == LatencyHistogram.bounds.sorted())
        #expect(LatencyHistogram.bounds.first == 50_000 && LatencyHistogram.bounds.last == 10_000_000_000)
    }

    @Test(
        "Seconds are exact",
        arguments: [
            (0, "0"), (1, "0.000000001"), (50_000, "0.00005"), (2_500_000_000, "2.5"), (10_000_000_000, "10"),
            (-1_500_000_000, "-1.5"), (1_795_224_153_123_456_789, "1795224153.123456789"),
        ])
    func seconds(nanoseconds: Int, text: String) { #expect(MetricsText.seconds(nanoseconds) == text) }

    @Test("A label value is escaped only where the format requires it")
    func escaping() {
        var text = MetricsText()
        text.begin("a_total", .counter, "Help.")
        text.add(1, [("store", "a\"b\\c\nd\u{7f}ü{},="), ("other", "")])
        let written = String(decoding: text.bytes, as: UTF8.self)
        #expect(written.hasSuffix("a_total{store=\"a\\\"b\\\\c\\nd\u{7f}ü{},=\",other=\"\"} 1\n"))
        let read = Exposition(written)
        #expect(read.violations == [] && read.samples.first?.label("store") == "a\"b\\c\nd\u{7f}ü{},=")
    }

    @Test("A histogram has cumulative buckets, the sum and the count")
    func histogram() {
        var histogram = LatencyHistogram()
        for nanoseconds in [20_000, 30_000, 150_000, 200_000, 250_000] { histogram.note(nanoseconds: nanoseconds) }
        histogram.note(nanoseconds: 20_000_000_000)
        var text = MetricsText()
        text.begin("a_seconds", .histogram, "Help.")
        text.add(histogram, [("route", "r")])
        let read = Exposition(String(decoding: text.bytes, as: UTF8.self))
        #expect(read.violations == [] && read.samples.count == 20)
        #expect(read.value("a_seconds_bucket", ["le": "0.00005"]) == 2)
        #expect(read.value("a_seconds_bucket", ["le": "0.00025"]) == 5)
        #expect(read.value("a_seconds_bucket", ["le": "10"]) == 5)
        #expect(read.value("a_seconds_count") == 6 && read.value("a_seconds_sum") == 20.00065)
    }

    @Test(
        "Invalid exposition text is detected",
        arguments: [
            ("a_total 1\n", "outside"), ("# HELP a_total x\n# TYPE a_total counter\na_total 1", "does not end"),
            ("# HELP a x\n# TYPE a counter\na 1\n", "its name"), ("# HELP a_total x\na_total 1\n", "its type"),
            ("# HELP a x\n# TYPE a gauge\na 1\na 2\n", "twice"),
            ("# HELP a x\n# TYPE a gauge\na{b=\"\\q\"} 1\n", "no sample"),
            ("# HELP a x\n# TYPE a gauge\na 1\nb 1\n", "outside"),
            ("# HELP a_ms x\n# TYPE a_ms gauge\na_ms 1\n", "base unit"),
            (
                "# HELP a x\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
                "not cumulative"
            ),
            ("# HELP a x\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n", "bounds"),
            ("# HELP a x\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n", "count and sum"),
        ])
    func linter(text: String, violation: String) {
        #expect(Exposition(text).violations.contains { $0.contains(violation) })
    }
}
