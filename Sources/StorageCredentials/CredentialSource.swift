package import Presigning

/// A source of storage credentials. Each `CredentialSelection` except `chain` names one.
package protocol CredentialSource: Sendable {
    /// Returns the credentials or a fetcher for them, or nil if the source is not configured.
    ///
    /// It reads variables and files only. Programs and endpoints can be slow, so they are left to the
    /// `CredentialFetcher`.
    ///
    /// - Throws: `CredentialFailure` if the source is configured but invalid. A chain then does not try other sources.
    func resolve() throws(CredentialFailure) -> CredentialResolution?

    /// The files that `resolve()` reads. When one changes, the credentials may change.
    var files: [String] { get }
}

extension CredentialSource {
    /// No files. Sources that read files during each fetch do not list them.
    package var files: [String] { [] }

    /// Resolves and, if necessary, fetches the credentials. Blocks.
    ///
    /// Returns nil if the source is not configured or its endpoint is unreachable and may be absent.
    package func credentials() throws(CredentialFailure) -> Credentials? {
        guard let resolution = try resolve() else { return nil }
        do {
            return try resolution.credentials()
        } catch {
            if error.isAbsence { return nil }
            throw error
        }
    }
}

/// A source with one name for messages.
protocol NamedCredentialSource: CredentialSource {
    static var name: String { get }
}

extension NamedCredentialSource {
    /// Returns a failure of this source.
    func failure(_ reason: String) -> CredentialFailure { CredentialFailure(source: Self.name, reason: reason) }
}

/// The environment variables of the credential sources.
package struct CredentialVariables: Sendable {
    private let environment: @Sendable (String) -> String?

    /// - Parameter environment: returns the value of a variable.
    package init(_ environment: @escaping @Sendable (String) -> String?) {
        self.environment = environment
    }

    /// Returns the value of a variable. An empty variable counts as unset, as in the AWS SDKs.
    package subscript(name: String) -> String? {
        guard let text = environment(name), !text.isEmpty else { return nil }
        return text
    }
}

/// The result of resolving a credential source.
package enum CredentialResolution: Sendable {
    /// The credentials themselves.
    case keys(Credentials)
    /// A program or an endpoint to fetch them from.
    case fetched(any CredentialFetcher)

    /// Returns the credentials. Blocks if they must be fetched.
    package func credentials() throws(CredentialFailure) -> Credentials {
        switch self {
        case .keys(let credentials): credentials
        case .fetched(let fetcher): try fetcher.fetch()
        }
    }
}

/// Fetches credentials from a program or an endpoint.
package protocol CredentialFetcher: Sendable {
    /// Returns new credentials. Blocks up to the fetcher's timeout, so never call it on an event loop.
    func fetch() throws(CredentialFailure) -> Credentials
}

/// The failure of a credential source. Its texts never contain secrets.
package struct CredentialFailure: Error, Equatable, CustomStringConvertible {
    /// The name of the source for messages.
    package let source: String
    /// The problem and the suggested fix.
    package let reason: String
    /// Whether no source is configured or reachable, as opposed to one that failed.
    package let isAbsence: Bool

    /// Creates a failure of the named source.
    package init(source: String, reason: String, isAbsence: Bool = false) {
        self.source = source
        self.reason = reason
        self.isAbsence = isAbsence
    }

    /// Source and reason in one line.
    package var description: String { "credentials from \(source): \(reason)" }
}

extension Credentials {
    /// Creates credentials from a source.
    ///
    /// - Throws: `CredentialFailure` with the source's name if a value is invalid.
    package convenience init(
        from source: String, _ accessKeyID: String, _ secretAccessKey: String, sessionToken: String?,
        expiration: SigningTime? = nil
    ) throws(CredentialFailure) {
        do {
            try self.init(
                accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
                expiration: expiration, source: source)
        } catch {
            throw CredentialFailure(source: source, reason: error.description)
        }
    }

    /// A warning for temporary credentials without expiration, otherwise nil.
    package var unknownExpirationWarning: String? {
        guard sessionToken != nil, expiration == nil else { return nil }
        return "the credentials from \(source ?? "an unnamed source") have a session token but no expiration, so URLs"
            + " may stop working before their expiresAt; set the expiration as an RFC 3339 time, in a profile as"
            + " aws_expiration, in the environment as AWS_CREDENTIAL_EXPIRATION"
    }

    /// Returns whether keys, session token and expiration are equal.
    package func equals(_ other: Credentials) -> Bool {
        accessKeyID.utf8.elementsEqual(other.accessKeyID.utf8) && secretAccessKey == other.secretAccessKey
            && (sessionToken ?? "").utf8.elementsEqual((other.sessionToken ?? "").utf8)
            && expiration == other.expiration
    }
}

/// A list of sources of which the first configured one is used.
package struct ChainedCredentialSource: CredentialSource {
    private let sources: [any CredentialSource]

    /// - Parameter sources: the sources in order of precedence.
    package init(_ sources: [any CredentialSource]) {
        self.sources = sources
    }

    /// Returns the result of the first configured source.
    package func resolve() throws(CredentialFailure) -> CredentialResolution? {
        for source in sources {
            if let found = try source.resolve() { return found }
        }
        return nil
    }

    /// The files of all sources, because a file that appears can change which source is used.
    package var files: [String] { sources.flatMap(\.files) }
}
