import DataFormats
import Presigning
import System

/// Fetches credentials from the standard output of a program, which is run without a shell.
///
/// Source: AWS SDKs and Tools Reference Guide, "Process credential provider".
struct ProcessCredentials: CredentialFetcher {
    private let source: String
    private let program: String
    private let arguments: [String]
    private let timeout: Duration

    /// - Parameters:
    ///   - command: the value of `credential_process`, split into words as by a shell.
    ///   - profile: the name of the profile.
    ///   - file: the path of the configuration file.
    ///   - path: the value of `PATH`.
    ///   - timeout: the default is that of the AWS SDK for Go.
    /// - Throws: `CredentialFailure` if the command cannot be split or the program does not exist.
    init(
        _ command: String, of profile: String, in file: String, path: String?,
        timeout: Duration = .seconds(60)
    ) throws(CredentialFailure) {
        source = "profile \(profile)"
        guard let words = CommandWords.split(command), let name = words.first else {
            throw CredentialFailure(
                source: source, reason: "credential_process in \(file) has an unterminated quote or names no program")
        }
        guard let program = ProgramPath.path(of: name, searching: path) else {
            throw CredentialFailure(
                source: source, reason: "credential_process in \(file): the program \(name) was not found")
        }
        self.program = program
        arguments = Array(words.dropFirst())
        self.timeout = timeout
    }

    func fetch() throws(CredentialFailure) -> Credentials {
        let output: [UInt8]
        do {
            output = try ChildProcess.output(
                of: program, arguments, limit: CredentialDocument.maximumSize, timeout: timeout)
        } catch {
            throw CredentialFailure(source: source, reason: "credential_process \(program): \(error)")
        }
        let document = try CredentialDocument(output, from: source)
        guard document["Version"]?.integer == 1 else {
            throw CredentialFailure(source: source, reason: "the output of \(program) must have \"Version\": 1")
        }
        return try document.credentials(tokenField: "SessionToken", allowsLongTerm: true)
    }
}

/// Splits a command line into words as a shell does, but without expansions, substitutions and operators.
enum CommandWords {
    /// Returns the words, or nil if a quote is unterminated or the text ends with a backslash.
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
                // Within double quotes, a backslash escapes only these characters (POSIX shell, section 2.2.3).
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
