import System
import Text

/// JSON Lines: each line of standard input becomes one of standard output, at once.
enum LineBatch {
    /// - Parameter answer: what comes of a line, with its line feed; empty lines are passed over.
    static func run(_ answer: (ArraySlice<UInt8>) -> [UInt8]) throws(CommandFailure) {
        var input = StandardInput()
        do {
            while let line = try input.nextLine() {
                if line.allSatisfy(ASCII.isWhitespace) { continue }
                try DescriptorWriter.standardOutput.write(answer(line))
            }
        } catch {
            throw CommandFailure(.system, "the batch ended early: \(error)")
        }
    }
}
