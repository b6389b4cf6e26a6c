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
    /// it could contain a secret: a value of the environment, a word of the output, or Base64.
    ///
    /// - Parameters:
    ///   - errors: What the program wrote to standard error.
    ///   - output: What it wrote to standard output.
    ///   - environment: The values of the environment variables.
    static func line(of errors: [UInt8], besides output: [UInt8], _ environment: [String]) -> String? {
        let lines = errors.split { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }
            .map { Array($0.filter { !ASCII.isControl($0) }[...].trimming(ASCII.isBlank)) }
        guard let line = lines.last(where: { !$0.isEmpty }), !hasLongRun(line) else { return nil }
        let values = environment.flatMap { Array($0.utf8).split(separator: ASCII.lineFeed) }
        let words = output.split { !ASCII.isVisible($0) || $0 == ASCII.quote }
        let isSecret = (values + words).contains { $0.count >= shortestSecret && line.contains($0) }
        if isSecret { return nil }
        let printable = line.prefix(maximumLength).map { ASCII.isPrintable($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: printable, as: UTF8.self)
    }

    private static func hasLongRun(_ line: [UInt8]) -> Bool {
        line.split { !ASCII.isAlphanumeric($0) && !"+/=-_".utf8.contains($0) }.contains { $0.count > longestRun }
    }
}
