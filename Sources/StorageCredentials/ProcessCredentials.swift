import DataFormats
import Presigning
import System

/// A program that writes credentials to its standard output, run without a shell.
///
/// Source: AWS SDKs and Tools Reference Guide, "Process credential provider".
struct ProcessCredentials: CredentialFetcher {
    /// As long as the AWS SDK for Go waits.
    static let standardTimeout = Duration.seconds(60)

    private let source: String
    private let program: String
    private let arguments: [String]
    private let timeout: Duration

    /// - Parameters:
    ///   - command: as it stands in the file, split as a shell would split it.
    ///   - profile: whose it is, and `file` where it stands.
    ///   - path: the value of `PATH`.
    /// - Throws: for a command that is no list of words, and for a program that is not there.
    init(
        _ command: String, of profile: String, in file: String, path: String?,
        timeout: Duration = ProcessCredentials.standardTimeout
    ) throws(CredentialFailure) {
        source = "profile \(profile)"
        guard let words = CommandWords.split(command), let name = words.first else {
            throw CredentialFailure(
                source: source, reason: "credential_process in \(file) has a quote without its end, or names no program"
            )
        }
        guard let program = ProgramPath.path(of: name, searching: path) else {
            throw CredentialFailure(
                source: source, reason: "credential_process in \(file): there is no program \(name) to run")
        }
        self.program = program
        arguments = Array(words.dropFirst())
        self.timeout = timeout
    }

    func fetch() throws(CredentialFailure) -> Credentials {
        let output: [UInt8]
        do {
            output = try ChildProcess.output(
                of: program, arguments, limit: CredentialDocument.longest, timeout: timeout)
        } catch {
            throw CredentialFailure(source: source, reason: "credential_process \(program): \(error)")
        }
        let document = try CredentialDocument(output, from: source)
        guard document["Version"]?.integer == 1 else {
            throw CredentialFailure(source: source, reason: "the output of \(program) must have \"Version\": 1")
        }
        return try document.credentials(tokenMember: "SessionToken", mayLast: true)
    }
}

/// A command line as a shell splits it, without expansions, substitutions and operators.
enum CommandWords {
    /// The words; nil when a quote has no end, or a backslash nothing to stand before.
    static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            switch (scalar, quote) {
            case ("'", "'"), ("\"", "\""):
                quote = nil
            case (_, "'"):
                word?.append(scalar)
            case ("\\", _):
                guard let next = scalars.next() else { return nil }
                // Within double quotes it stands for itself but before these (POSIX, 2.2.3).
                if quote != nil, !["\"", "\\", "$", "`"].contains(next) { word?.append(scalar) }
                word = word ?? .init()
                word?.append(next)
            case ("'", nil), ("\"", nil):
                quote = scalar
                word = word ?? .init()
            case (" ", nil), ("\t", nil):
                if let word { words.append(String(word)) }
                word = nil
            default:
                word = word ?? .init()
                word?.append(scalar)
            }
        }
        guard quote == nil else { return nil }
        if let word { words.append(String(word)) }
        return words
    }
}
