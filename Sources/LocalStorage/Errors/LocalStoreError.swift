/// Why a local store cannot be opened. One line that names the path and the fix and contains no secret.
package struct LocalStoreError: Error, CustomStringConvertible, Sendable {
    /// The message for the operator.
    package let description: String
}
