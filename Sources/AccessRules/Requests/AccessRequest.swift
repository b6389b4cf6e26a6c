package import Presigning

/// The input of an access decision: the caller, the action, the object, and what the request declares about it.
package struct AccessRequest: Sendable {
    /// The caller.
    package var caller: Caller
    /// The action.
    package var action: AccessAction
    /// The requested path without the store's prefix, or the prefix to list. The decision checks it and never repairs
    /// it.
    package var key: [UInt8]
    /// The store's name; nil for the default store.
    package var store: String?
    /// The content type declared for an upload.
    package var contentType: String?
    /// The length declared for an upload, or for one of its parts, in bytes.
    package var contentLength: Int64?
    /// The number of the part to upload.
    package var partNumber: Int64?
    /// The checksum declared for an upload.
    package var checksum: ChecksumAlgorithm?
    /// The requested lifetime of the URL in seconds, if any.
    package var expiresIn: Int64?
    /// The step of a multipart upload; nil for other actions, and when explaining multipart uploads in general.
    package var step: MultipartStep?
    /// The requested response headers, UTF-8.
    package var responseOverrides: [ResponseOverride: [UInt8]] = [:]
    /// The requested settings of an upload.
    package var settings: [UploadSetting] = []
    /// The checksum of the parts, declared when creating a multipart upload.
    package var checksumAlgorithm: ChecksumAlgorithm?
    /// Whether a version of the object is requested by its id.
    package var namesVersion = false
    /// Whether the upload is an HTML form, whose policy bounds the length that the request need not declare.
    package var isForm = false
    /// What the request has to do with a share link; nil for other requests.
    package var share: ShareRequest?

    /// Whether the request asks which limits apply. Then it meets all of them, and the widest grant decides. Never set
    /// for a request that is signed: only `AccessPolicy.permissions` can set it.
    var asksForLimits = false

    /// Whether the request has options that a rule without limits can refuse.
    var hasRestrictedOptions: Bool {
        !responseOverrides.isEmpty || !settings.isEmpty || namesVersion || isForm
    }

    /// Whether the storage takes the object's settings from this request.
    var storesSettings: Bool {
        switch action {
        case .write: true
        case .multipart: step == .create || step == nil
        case .get, .list, .delete: false
        }
    }

    /// Whether the request determines the object's content type.
    var setsContentType: Bool {
        switch action {
        case .write: !createsShare || contentType != nil
        case .multipart: step.map { $0 == .create } ?? (contentType != nil)
        case .get, .list, .delete: false
        }
    }

    /// Whether the storage creates the object on this request, and so honors `if-none-match`.
    var createsObject: Bool {
        switch action {
        case .write: true
        case .multipart: step == .complete || step == nil
        case .get, .list, .delete: false
        }
    }
}

extension AccessRequest {
    /// Creates a request to decide. What is left out is not declared.
    ///
    /// - Parameters:
    ///   - key: the requested path without the store's prefix.
    ///   - store: the store's name; nil for the default store.
    package init(
        caller: Caller, action: AccessAction, key: [UInt8], store: String? = nil, contentType: String? = nil,
        contentLength: Int64? = nil, partNumber: Int64? = nil, checksum: ChecksumAlgorithm? = nil,
        expiresIn: Int64? = nil, step: MultipartStep? = nil, responseOverrides: [ResponseOverride: [UInt8]] = [:],
        settings: [UploadSetting] = [], checksumAlgorithm: ChecksumAlgorithm? = nil, namesVersion: Bool = false,
        isForm: Bool = false
    ) {
        self.init(
            caller: caller, action: action, key: key, store: store, contentType: contentType,
            contentLength: contentLength, partNumber: partNumber, checksum: checksum, expiresIn: expiresIn, step: step,
            responseOverrides: responseOverrides, settings: settings, checksumAlgorithm: checksumAlgorithm,
            namesVersion: namesVersion, isForm: isForm, asksForLimits: false)
    }
}
