/// Why the keys of an issuer cannot be used. It names no key material.
package struct IssuerKeyFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The issuer's name in the configuration.
    package let issuer: String
    /// The file.
    package let file: String
    /// What is wrong, and the mend.
    package let reason: String

    /// All three in one line.
    package var description: String { "auth.jwt \(issuer): \(file): \(reason)" }
}
