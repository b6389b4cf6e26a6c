/// The result of a HEAD request for an object.
public enum HeadObjectResult: Sendable, Hashable {
    /// The object exists.
    case exists
    /// There is no object under the key.
    case notFound
}
