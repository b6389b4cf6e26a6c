import System
import Text

/// Reads JSON Lines from standard input and writes one line of output for each, unbuffered.
enum LineBatch {
    /// - Parameter respond: returns the output for a line, including the line feed. Blank lines are skipped.
    static func run(_ respond: (ArraySlice<UInt8>) -> [UInt8]) throws(CommandFailure) {
        var input = StandardInput()
        do {
            while let line = try input.nextLine() {
                if line.allSatisfy(ASCII.isWhitespace) { continue }
                try DescriptorWriter.standardOutput.write(respond(line))
            }
        } catch {
            throw CommandFailure(.system, "the batch stopped before the end of its input: \(error)")
        }
    }
}
