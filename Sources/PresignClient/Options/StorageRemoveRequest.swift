/// Has the options of ``PresignStorage/remove(path:options:)``.
public enum StorageRemoveRequest {
    /// The options of ``PresignStorage/remove(path:options:)``. It has no members yet.
    public struct Options: Sendable {
        /// Creates options.
        public init() {}
    }
}
