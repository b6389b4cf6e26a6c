import System

/// Ends the program with an exit code and, unless the message is empty, a line on standard error.
package struct ProgramFailure: Error, CustomStringConvertible {
    package enum Kind: Int32 {
        /// It ran and the result is negative: a refusal, a difference, a failed check.
        case refusal = 1
        /// It ran, and the second of two files only refuses more.
        case narrower = 2
        /// It ran, but could not check all of what it should.
        case unchecked = 3
        case usage = 64
        case data = 65
        case system = 71
        case configuration = 78
    }

    package let kind: Kind
    /// Empty if the command has already printed the result.
    package let description: String
    /// More failures of the same kind, each printed on its own line.
    package let further: [String]
    /// The usage of the command, printed after the error; empty for none.
    package let usage: String

    /// A negative result that the command has already printed.
    package static let refusal = ProgramFailure(.refusal, "")

    package init(_ kind: Kind, _ description: String, further: [String] = [], usage: String = "") {
        self.kind = kind
        self.description = description
        self.further = further
        self.usage = usage
    }

    /// Prints one line per failure to standard error, without control characters, and the usage.
    ///
    /// - Returns: the exit code.
    package func report() -> Int32 {
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

/// Calls `body` and ends the program with a failure of this kind if it throws. A `ProgramFailure` is thrown unchanged.
///
/// - Parameter context: precedes the error in the message.
package func reporting<Result>(
    errorsAs kind: ProgramFailure.Kind, after context: String = "", _ body: () throws -> Result
) throws(ProgramFailure) -> Result {
    do {
        return try body()
    } catch let failure as ProgramFailure {
        throw failure
    } catch {
        throw ProgramFailure(kind, "\(context)\(error)")
    }
}

/// Writes lines to standard output, unbuffered.
///
/// - Throws: a system failure if standard output cannot be written, as when the reader of a pipe has closed it.
package func printLines(_ lines: [String]) throws(ProgramFailure) {
    try reporting(errorsAs: .system, after: "cannot write to standard output: ") {
        try DescriptorWriter.standardOutput.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}
