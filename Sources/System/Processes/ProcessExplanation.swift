import Text

/// What a failed program says on standard error about the reason.
enum ProcessExplanation {
    /// The maximum size of standard error that is read, in bytes.
    static let maximumInput = 4096
    /// The maximum size of an explanation in bytes.
    private static let maximumLength = 200
    /// The shortest value of the environment or word of the output that counts as a secret, in bytes. Shorter ones, such
    /// as a locale, occur in any text.
    private static let shortestSecret = 4
    /// The longest run of Base64 characters in an explanation.
    private static let longestRun = 20

    /// Returns the last line that is not empty, without control characters and in ASCII; nil without such a line, and if
    /// it could contain a secret: a value of the environment, a word of the output, Base64, or the rest of a line whose
    /// beginning was not kept.
    ///
    /// - Parameters:
    ///   - errors: The end of what the program wrote to standard error, of at most `maximumInput` bytes.
    ///   - output: What it wrote to standard output.
    ///   - environment: The values of the environment variables.
    static func line(of errors: [UInt8], besides output: [UInt8], _ environment: [String]) -> String? {
        let lines = errors.split { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
            .map { (start: $0.startIndex, text: $0.filter { !ASCII.isControl($0) }[...].trimming(ASCII.isBlank)) }
        guard let (start, line) = lines.last(where: { !$0.text.isEmpty }), !hasLongRun(line) else { return nil }
        // Part of a secret would not match the secret. What begins after a control character is complete.
        guard start > 0 || errors.count < maximumInput || ASCII.isControl(errors[0]) else { return nil }
        // Without control characters and blanks at an end, as the line.
        let values = environment.flatMap {
            Array($0.utf8).split(whereSeparator: ASCII.isControl).map { $0.trimming(ASCII.isBlank) }
        }
        let words = output.split { !ASCII.isVisible($0) || $0 == ASCII.quote }
        let isSecret = (values + words).contains { $0.count >= shortestSecret && line.contains($0) }
        if isSecret { return nil }
        let printable = line.prefix(maximumLength).map { ASCII.isPrintable($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: printable, as: UTF8.self)
    }

    private static func hasLongRun(_ line: ArraySlice<UInt8>) -> Bool {
        line.split { !ASCII.isAlphanumeric($0) && !"+/=-_".utf8.contains($0) }.contains { $0.count > longestRun }
    }
}
