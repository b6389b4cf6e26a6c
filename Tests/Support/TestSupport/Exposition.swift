/// The Prometheus text exposition format, version 0.0.4, parsed strictly: whatever `promtool check metrics` or a scrape
/// would reject is a violation too.
package struct Exposition {
    package struct Family {
        package let name: String
        package var type = ""
        package var help = ""
    }

    package struct Sample {
        package let name: String
        package let labels: [(name: String, value: String)]
        package let value: Double

        /// Name and labels, which must be unique among the samples.
        package var series: String {
            name + "{" + labels.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: ",") + "}"
        }

        package func label(_ name: String) -> String? { labels.first { $0.name == name }?.value }
    }

    package private(set) var families: [Family] = []
    package private(set) var samples: [Sample] = []
    package private(set) var violations: [String] = []

    package init(_ text: String) {
        if !text.hasSuffix("\n") { violations.append("the last line does not end") }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() { read(line) }
        checkFamilies()
        checkSeries()
    }

    /// The value of the only sample with this name and these labels; nil if there is none.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let found = samples.filter { sample in
            sample.name == name && labels.allSatisfy { sample.label($0.key) == $0.value }
        }
        return found.count == 1 ? found[0].value : nil
    }

    private mutating func read(_ line: Substring) {
        if line.hasPrefix("# HELP ") {
            let words = line.dropFirst(7).split(separator: " ", maxSplits: 1)
            guard words.count == 2, !words[1].isEmpty else { return violations.append("no help: \(line)") }
            if families.contains(where: { $0.name == words[0] }) { violations.append("a second family: \(line)") }
            families.append(Family(name: String(words[0]), help: String(words[1])))
        } else if line.hasPrefix("# TYPE ") {
            let words = line.dropFirst(7).split(separator: " ")
            guard words.count == 2, families.last.map({ $0.name == words[0] && $0.type.isEmpty }) == true else {
                return violations.append("a type that does not follow its help: \(line)")
            }
            families[families.count - 1].type = String(words[1])
        } else if let sample = Self.sample(line) {
            if Self.family(of: sample.name, in: families.last) == nil {
                violations.append("a sample outside its family: \(line)")
            }
            samples.append(sample)
        } else {
            violations.append("no sample: \(line)")
        }
    }

    private static func family(of name: String, in family: Family?) -> Family? {
        guard let family else { return nil }
        let suffixes = family.type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        return suffixes.contains { name == family.name + $0 } ? family : nil
    }

    private static func sample(_ line: Substring) -> Sample? {
        guard let parts = line.wholeMatch(of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/) else { return nil }
        guard let value = Double(parts.output.3.replacing("+Inf", with: "inf")) else { return nil }
        guard let labels = labels(parts.output.2 ?? "") else { return nil }
        return Sample(name: String(parts.output.1), labels: labels, value: value)
    }

    private static func labels(_ text: Substring) -> [(name: String, value: String)]? {
        var rest = text
        var labels: [(name: String, value: String)] = []
        while !rest.isEmpty {
            if !labels.isEmpty {
                guard rest.hasPrefix(",") else { return nil }
                rest = rest.dropFirst()
            }
            guard let label = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"/) else {
                return nil
            }
            let value = label.output.2.replacing(/\\(.)/) { $0.output.1 == "n" ? "\n" : String($0.output.1) }
            labels.append((String(label.output.1), String(value)))
            rest = rest[label.range.upperBound...]
        }
        return labels
    }

    private mutating func checkFamilies() {
        for family in families {
            if !["counter", "gauge", "histogram"].contains(family.type) {
                violations.append("\(family.name): its type")
            }
            if (family.type == "counter") != family.name.hasSuffix("_total") {
                violations.append("\(family.name): its name")
            }
            for unit in ["milliseconds", "microseconds", "_ms", "kilobytes", "minutes"] where family.name.contains(unit)
            {
                violations.append("\(family.name): no base unit")
            }
            if family.type == "histogram" { checkHistogram(family.name) }
        }
    }

    private mutating func checkHistogram(_ name: String) {
        let buckets = samples.filter { $0.name == name + "_bucket" }
        let others = { (sample: Sample) in sample.labels.filter { $0.name != "le" }.map { "\($0.name)=\($0.value)" } }
        for group in Dictionary(grouping: buckets, by: others).values {
            let bounds = group.map { $0.label("le").flatMap { Double($0.replacing("+Inf", with: "inf")) } ?? .nan }
            if bounds != bounds.sorted() || bounds.last != .infinity { violations.append("\(name): bounds \(bounds)") }
            if group.map(\.value) != group.map(\.value).sorted() { violations.append("\(name): not cumulative") }
            let count = samples.first { $0.name == name + "_count" && others($0) == others(group[0]) }
            let sum = samples.first { $0.name == name + "_sum" && others($0) == others(group[0]) }
            if count?.value != group.last?.value || sum == nil { violations.append("\(name): count and sum") }
        }
    }

    private mutating func checkSeries() {
        for (series, same) in Dictionary(grouping: samples, by: \.series) where same.count > 1 {
            violations.append("twice: \(series)")
        }
    }
}
