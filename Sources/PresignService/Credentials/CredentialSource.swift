package import Presigning

/// Where storage credentials come from. One file and one `CredentialSelection` case each.
package protocol CredentialSource: Sendable {
    /// The credentials, or nil when this source is not configured here at all (the chain then asks the next one).
    ///
    /// - Throws: `CredentialFailure` when the source is configured but broken: that is never a reason to ask another.
    func credentials() throws(CredentialFailure) -> Credentials?
}

/// A credential source that is configured but cannot be used; the text never holds a secret.
package struct CredentialFailure: Error, Equatable, CustomStringConvertible {
    /// The source's name, for people.
    package let source: String
    /// What is wrong and the mend; never a secret.
    package let reason: String

    /// A failure of the named source.
    package init(source: String, reason: String) {
        self.source = source
        self.reason = reason
    }

    /// One line.
    package var description: String { "credentials from \(source): \(reason)" }
}

extension Credentials {
    /// Credentials as a source found them.
    ///
    /// - Throws: `CredentialFailure` that names the source, for values that cannot sign.
    convenience init(
        from source: String, _ accessKeyID: String, _ secretAccessKey: String, sessionToken: String?,
        expiration: SigningTime? = nil
    ) throws(CredentialFailure) {
        do {
            try self.init(
                accessKeyID: accessKeyID, secretAccessKey: secretAccessKey, sessionToken: sessionToken,
                expiration: expiration)
        } catch {
            throw CredentialFailure(source: source, reason: error.description)
        }
    }
}

/// Sources asked in order; the first that is configured decides.
package struct ChainedCredentialSource: CredentialSource {
    private let sources: [any CredentialSource]

    /// - Parameter sources: in the order in which they are asked.
    package init(_ sources: [any CredentialSource]) {
        self.sources = sources
    }

    /// What the first configured source has.
    package func credentials() throws(CredentialFailure) -> Credentials? {
        for source in sources {
            if let found = try source.credentials() { return found }
        }
        return nil
    }
}
