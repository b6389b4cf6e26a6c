/// What is to be decided: who wants to do what to which object, and what the request declares about it.
package struct AccessRequest: Sendable {
    /// Who.
    package var caller: Caller
    /// What.
    package var action: AccessAction
    /// The path as given, without the store's prefix; checked by the decision, never repaired.
    package var key: [UInt8]
    /// The store's name; nil for the default store.
    package var store: String?
    /// The content type declared for an upload.
    package var contentType: String?
    /// True when the request decides the object's content type: an upload, or the creation of a multipart one.
    package var setsContentType: Bool
    /// The bytes declared for an upload.
    package var contentLength: Int64?
    /// The checksum declared for an upload.
    package var checksum: ChecksumAlgorithm?
    /// Seconds asked for; nil when the request names none.
    package var expiresIn: Int64?
}

extension AccessRequest {
    /// A request that declares nothing yet.
    ///
    /// - Parameters:
    ///   - caller: who
    ///   - action: what
    ///   - key: the path as given
    ///   - store: the store's name, nil for the default store
    package init(caller: Caller, action: AccessAction, key: [UInt8], store: String? = nil) {
        self.init(caller: caller, action: action, key: key, store: store, setsContentType: action == .write)
    }

    /// Takes a type as a client declares it: when uploading, or when creating a multipart upload, which of all requests
    /// for one alone has a type.
    package mutating func declare(contentType: String?) {
        self.contentType = contentType
        if action == .multipart { setsContentType = contentType != nil }
    }
}
