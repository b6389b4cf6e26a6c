/// What a look at an object showed.
public enum ObjectExistence: Sendable, Hashable {
    /// The object is there.
    case exists
    /// There is no object under the key.
    case notFound
}
