import DataFormats
import Text

extension PolicyComparison {
    /// The findings, and what is not compared.
    ///
    /// - Parameters:
    ///   - most: The number of findings of each kind.
    ///   - json: Whether each line is a JSON object.
    package func lines(atMost most: Int, json: Bool) -> [String] {
        [(wider, names[1], names[0]), (narrower, names[0], names[1])].flatMap { differences, lax, strict -> [String] in
            let shown = differences.prefix(most).map { $0.smallest() }
            if json { return shown.map { $0.json(names) } }
            let rest = differences.count - shown.count
            return ["\(lax) allows what \(strict) refuses:".printable] + shown.flatMap { $0.lines(names) }
                + (differences.isEmpty ? ["  (nothing)"] : rest > 0 ? ["  and \(rest) more"] : [])
        } + notCompared.map { json ? Self.json(notCompared: $0) : "not compared: \($0)".printable }
    }

    private static func json(notCompared text: String) -> String {
        var line = ByteBuffer()
        line.appendObject { json in
            json.member("change", "not compared")
            json.member("detail", text)
        }
        return String(decoding: line.bytes, as: UTF8.self)
    }

    /// Settings that differ, and that decide about other objects or callers than the rules.
    private var notCompared: [String] {
        if files[0].isRulesOnly != files[1].isRulesOnly {
            return [
                "\(names[files[0].isRulesOnly ? 0 : 1]) has rules only, so it says nothing about callers and stores"
            ]
        }
        return files[0].settings.differences(from: files[1].settings).map { "`\($0)` differs" }
    }
}
