/// The access that a URL grants: download or upload.
public enum StorageAccessMethod: String, Sendable, Hashable, CaseIterable {
    /// Download the object (`GetObject`).
    case get = "GET"
    /// Upload the object (`PutObject`).
    case put = "PUT"
}
