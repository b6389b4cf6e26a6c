/// The result of a HEAD request for an object.
public enum HeadObjectResult: Sendable, Hashable {
    /// The object exists.
    case exists
    /// No object exists at the key.
    case notFound
}
