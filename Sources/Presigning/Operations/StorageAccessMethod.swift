/// What the holder of a URL may do with the object.
public enum StorageAccessMethod: String, Sendable, Hashable, CaseIterable {
    /// Download it (GetObject).
    case get = "GET"
    /// Upload it (PutObject).
    case put = "PUT"
}
