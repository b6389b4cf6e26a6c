package import HTTPClient

/// The limits of the existence checks and the settings of their connections.
package struct ObjectExistenceConfiguration: Sendable {
    /// The most checks in flight.
    package var maximumInFlight = 64
    /// The most checks that wait while the maximum is in flight. Further checks are `.overloaded`.
    package var maximumQueued = 256
    /// For connecting, including the TLS handshake.
    package var connectTimeout = Duration.seconds(2)
    /// For a whole check, including the time in the queue.
    package var totalTimeout = Duration.seconds(5)
    /// The proxy; nil for none. The environment's proxy variables are ignored.
    package var proxy: FetchURL?
    /// A PEM file of certificate authorities; nil for the system's.
    package var certificateAuthorityFile: String?

    package init() {}
}
