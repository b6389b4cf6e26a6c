package import Presigning

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
    /// The bytes declared for an upload.
    package var contentLength: Int64?
    /// The checksum declared for an upload.
    package var checksum: ChecksumAlgorithm?
    /// Seconds asked for; nil when the request names none.
    package var expiresIn: Int64?
    /// The step of a multipart upload; nil for other actions, and for a question about such uploads in general.
    package var step: MultipartStep?
    /// The response headers that a reader asks for, UTF-8.
    package var responseOverrides: [ResponseOverride: [UInt8]] = [:]

    /// Whether the request decides the object's content type.
    var setsContentType: Bool {
        switch action {
        case .write: true
        case .multipart: step.map { $0 == .create } ?? (contentType != nil)
        case .get, .list, .delete: false
        }
    }

    /// Whether the storage makes the object by this request, which it can refuse to do over another one.
    var makesObject: Bool {
        switch action {
        case .write: true
        case .multipart: step == .complete || step == nil
        case .get, .list, .delete: false
        }
    }
}

/// A step of a multipart upload.
package enum MultipartStep: String, Sendable, CaseIterable {
    case create, part, list, complete, abort
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
        self.caller = caller
        self.action = action
        self.key = key
        self.store = store
    }
}
