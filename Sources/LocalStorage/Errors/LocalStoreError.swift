/// Why a local store cannot be opened: one line that names the place and the mend, and no secret.
package struct LocalStoreError: Error, CustomStringConvertible, Sendable {
    /// For the one who starts the service.
    package let description: String
}
