package import HTTPClient

/// Bounds of the existence checks, and how they reach the storage.
package struct ObjectExistenceConfiguration: Sendable {
    /// Checks that are on the wire at once.
    package var maximumInFlight = 64
    /// Checks that may wait for one of those places; more are `.overloaded` at once.
    package var maximumQueued = 256
    /// For a connection, the TLS handshake included.
    package var connectTimeout = Duration.seconds(2)
    /// For a whole check, from being handed in to its end; waiting counts.
    package var totalTimeout = Duration.seconds(5)
    /// The proxy; nil means none, whatever the environment says.
    package var proxy: FetchURL?
    /// A PEM file of certificate authorities; nil means the system's.
    package var certificateAuthorityFile: String?

    /// The defaults.
    package init() {}
}
