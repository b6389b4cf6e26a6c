import System
import Text

/// Ends a command with an exit code and, unless the message is empty, a line on standard error.
struct CommandFailure: Error, CustomStringConvertible {
    enum Kind: Int32 {
        /// The command ran and the result is negative: a refusal, a difference, a failed check.
        case refusal = 1
        /// The command ran, but could not check all of what it should.
        case unchecked = 3
        case usage = 64
        case data = 65
        case system = 71
        case configuration = 78
    }

    let kind: Kind
    /// Empty if the command has already printed the result.
    let description: String
    /// More failures of the same kind, each printed on its own line.
    let further: [String]
    /// The usage of the command, printed after the error; empty for none.
    let usage: String

    /// A negative result that the command has already printed.
    static let refusal = CommandFailure(.refusal, "")

    init(_ kind: Kind, _ description: String, further: [String] = [], usage: String = "") {
        self.kind = kind
        self.description = description
        self.further = further
        self.usage = usage
    }

    /// Prints one line per failure to standard error, without control characters, and the usage.
    ///
    /// - Returns: the exit code.
    func report() -> Int32 {
        var output = ""
        for text in [description] + further where !text.isEmpty {
            let line = text.unicodeScalars
                .map { $0 == "\n" ? "; " : $0.value < 0x20 ? " " : String($0) }.joined()
            output += "presign: \(line)\n"
        }
        if !usage.isEmpty { output += "Usage: " + usage.split(separator: "\n").joined(separator: "\n       ") + "\n" }
        // If standard error is closed, the exit code remains.
        try? DescriptorWriter.standardError.write(Array(output.utf8))
        return kind.rawValue
    }
}

/// Calls `body` and ends the command with a failure of this kind if it throws. A `CommandFailure` is thrown unchanged.
///
/// - Parameter context: precedes the error in the message.
func reporting<Result>(
    errorsAs kind: CommandFailure.Kind, after context: String = "", _ body: () throws -> Result
) throws(CommandFailure) -> Result {
    do {
        return try body()
    } catch let failure as CommandFailure {
        throw failure
    } catch {
        throw CommandFailure(kind, "\(context)\(error)")
    }
}

/// Prints a warning to standard error; ignores a closed standard error.
func printWarning(_ text: String) {
    try? DescriptorWriter.standardError.write(Array("presign: warning: \(text)\n".utf8))
}

/// `1 case`, `2 cases`.
func count(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

/// Writes lines to standard output, unbuffered.
///
/// - Throws: a system failure if standard output cannot be written, as when the reader of a pipe has closed it.
func printLines(_ lines: [String]) throws(CommandFailure) {
    try reporting(errorsAs: .system, after: "cannot write to standard output: ") {
        try DescriptorWriter.standardOutput.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}

/// Reads JSON Lines from standard input and writes one line of output for each, unbuffered.
enum JSONLines {
    /// - Parameter respond: returns the output for a line, including the line feed. Blank lines are skipped.
    static func run(_ respond: (ArraySlice<UInt8>) -> [UInt8]) throws(CommandFailure) {
        var input = StandardInput()
        try reporting(errorsAs: .system, after: "the batch stopped before the end of its input: ") {
            while let line = try input.nextLine() {
                if line.allSatisfy(ASCII.isWhitespace) { continue }
                try DescriptorWriter.standardOutput.write(respond(line))
            }
        }
    }
}
