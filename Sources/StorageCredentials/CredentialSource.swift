package import Presigning

/// Where storage credentials come from. One file and one `CredentialSelection` case each.
package protocol CredentialSource: Sendable {
    /// What is configured: nil when this source is not configured here at all (the chain then asks the next one).
    ///
    /// It looks at variables and files only. No program is run, and nobody on the network is asked: that may take its time,
    /// and is for `CredentialFetcher`.
    ///
    /// - Throws: `CredentialFailure` when the source is configured but broken: that is never a reason to ask another.
    func origin() throws(CredentialFailure) -> CredentialResolution?

    /// The files that `origin` reads: when one of them changes, so may the origin.
    var files: [String] { get }
}

extension CredentialSource {
    /// Most sources have no files, or read them anew for each fetch.
    package var files: [String] { [] }

    /// Asks once, and waits for the answer; nil when nothing is configured, or nobody is where credentials might have come
    /// from.
    package func credentials() throws(CredentialFailure) -> Credentials? {
        guard let origin = try origin() else { return nil }
        do {
            return try origin.credentials()
        } catch {
            if error.isAbsence { return nil }
            throw error
        }
    }
}

/// What a source comes to.
package enum CredentialResolution: Sendable {
    /// The credentials themselves.
    case keys(Credentials)
    /// Somebody who has to be asked for them.
    case fetched(any CredentialFetcher)

    /// The credentials, asked for when that is needed; blocks then.
    package func credentials() throws(CredentialFailure) -> Credentials {
        switch self {
        case .keys(let credentials): credentials
        case .fetched(let fetcher): try fetcher.fetch()
        }
    }
}

/// Gets credentials from a program or an endpoint.
package protocol CredentialFetcher: Sendable {
    /// Fresh credentials. Blocks, within a time of its own; never call it on an event loop.
    func fetch() throws(CredentialFailure) -> Credentials
}

/// A credential source that is configured but cannot be used; the text never holds a secret.
package struct CredentialFailure: Error, Equatable, CustomStringConvertible {
    /// The source's name, for people.
    package let source: String
    /// What is wrong and the mend; never a secret.
    package let reason: String
    /// Nobody was there who might have had credentials: the end of the chain, not a fault.
    package let isAbsence: Bool

    /// A failure of the named source.
    package init(source: String, reason: String, isAbsence: Bool = false) {
        self.source = source
        self.reason = reason
        self.isAbsence = isAbsence
    }

    /// One line.
    package var description: String { "credentials from \(source): \(reason)" }
}

extension Credentials {
    /// Credentials as a source found them.
    ///
    /// - Throws: `CredentialFailure` that names the source, for values that cannot sign.
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

    /// A warning about a session token whose end is unknown; nil if it is known, and for lasting credentials.
    package var unknownEndWarning: String? {
        guard sessionToken != nil, expiration == nil else { return nil }
        return "the credentials from \(source ?? "an unnamed source") have a session token whose end is unknown, so"
            + " URLs may stop working before their expiresAt; give the end as an RFC 3339 time, in a profile as"
            + " aws_expiration, in the environment as AWS_CREDENTIAL_EXPIRATION"
    }

    /// Whether the other says exactly the same.
    package func equals(_ other: Credentials) -> Bool {
        accessKeyID.utf8.elementsEqual(other.accessKeyID.utf8) && secretAccessKey == other.secretAccessKey
            && (sessionToken ?? "").utf8.elementsEqual((other.sessionToken ?? "").utf8)
            && expiration == other.expiration
    }
}

/// Sources asked in order; the first that is configured decides.
package struct ChainedCredentialSource: CredentialSource {
    private let sources: [any CredentialSource]

    /// - Parameter sources: in the order in which they are asked.
    package init(_ sources: [any CredentialSource]) {
        self.sources = sources
    }

    /// What the first configured source comes to.
    package func origin() throws(CredentialFailure) -> CredentialResolution? {
        for source in sources {
            if let found = try source.origin() { return found }
        }
        return nil
    }

    /// Those of all sources: a file may appear.
    package var files: [String] { sources.flatMap(\.files) }
}
