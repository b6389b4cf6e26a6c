import System

/// An end of the command with one line on standard error, or without.
struct CommandFailure: Error, CustomStringConvertible {
    enum Kind: Int32 {
        /// What was asked is answered, with no.
        case refusal = 1
        case usage = 64
        case data = 65
        case system = 71
        case configuration = 78
    }

    let kind: Kind
    /// Empty when everything has been said.
    let description: String
    /// More failures of the same kind, each a line of its own.
    let further: [String]

    /// No, and all has been said.
    static let refusal = CommandFailure(.refusal, "")

    init(_ kind: Kind, _ description: String, further: [String] = []) {
        self.kind = kind
        self.description = description
        self.further = further
    }

    /// Says so on standard error, one line for each failure and never a backtrace.
    ///
    /// - Returns: the exit code.
    func report() -> Int32 {
        for text in [description] + further where !text.isEmpty {
            let line = text.unicodeScalars
                .map { $0 == "\n" ? "; " : $0.value < 0x20 ? " " : String($0) }.joined()
            // When standard error itself is gone there is nobody left to tell; the exit code still does.
            try? DescriptorWriter.standardError.write(Array("presign: \(line)\n".utf8))
        }
        return kind.rawValue
    }
}

/// Says on standard error what is allowed but hardly meant. When nobody can be told, nothing is lost.
func printWarning(_ text: String) {
    try? DescriptorWriter.standardError.write(Array("presign: warning: \(text)\n".utf8))
}

/// `1 case`, `2 cases`.
func count(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

/// Writes lines to standard output at once; a reader that is gone is a failure, not a crash.
func printLines(_ lines: [String]) throws(CommandFailure) {
    try printText(lines.map { $0 + "\n" }.joined())
}

func printText(_ text: String) throws(CommandFailure) {
    do {
        try DescriptorWriter.standardOutput.write(Array(text.utf8))
    } catch {
        throw CommandFailure(.system, "cannot write to standard output: \(error)")
    }
}
