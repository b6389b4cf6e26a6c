import ServiceRuntime
import System

/// Prints a warning to standard error; ignores a closed standard error.
func printWarning(_ text: String) {
    try? DescriptorWriter.standardError.write(Array("presign: warning: \(text)\n".utf8))
}

/// `1 case`, `2 cases`.
func count(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }

/// Reads JSON Lines from standard input and writes one line of output for each, unbuffered.
enum JSONLines {
    private static let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]

    /// - Parameter respond: returns the output for a line, including the line feed. Blank lines are skipped.
    static func run(_ respond: (ArraySlice<UInt8>) -> [UInt8]) throws(ProgramFailure) {
        var input = StandardInput()
        try reporting(errorsAs: .system, after: "the batch stopped before the end of its input: ") {
            while let line = try input.nextLine() {
                if line.allSatisfy({ blanks.contains($0) }) { continue }
                try DescriptorWriter.standardOutput.write(respond(line))
            }
        }
    }
}
