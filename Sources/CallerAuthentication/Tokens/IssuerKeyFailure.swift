/// The reason why the keys of an issuer cannot be used. It contains no key material.
package struct IssuerKeyFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The issuer's name in the configuration.
    package let issuer: String
    /// The path of the key file.
    package let file: String
    /// What is wrong, and the fix.
    package let reason: String

    /// `auth.jwt NAME: FILE: REASON`, one line.
    package var description: String { "auth.jwt \(issuer): \(file): \(reason)" }
}
