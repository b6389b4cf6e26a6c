package import HTTP1
package import Presigning
package import Requests

/// What a share link holds: one object, what may be done with it, who made the link, and when.
package struct Share: Sendable {
    /// The store's name.
    package var store: String
    /// The object's path, UTF-8, without the store's prefix.
    package var path: [UInt8]
    /// Whether the link is for uploads instead of downloads.
    package var isUpload = false
    /// The types that an upload may have; nil if the link does not limit them.
    package var types: MediaRange?
    /// The maximum size of an upload in bytes; nil if the link does not limit it.
    package var maximumSize: Int64?
    /// Whether an upload must not replace an existing object.
    package var keepsExisting = false
    /// The caller who made the link: of an API key only the id, otherwise what was known of the caller then.
    package var minter: Caller
    /// When the link was made, and when it ends.
    package var created, expires: SigningTime

    package init(
        of path: [UInt8], in store: String, by minter: Caller, from created: SigningTime, until expires: SigningTime
    ) {
        (self.path, self.store, self.minter, self.created, self.expires) = (path, store, minter, created, expires)
    }

    /// The methods with which the link can be used.
    package var allow: String { isUpload ? "PUT, OPTIONS" : "GET, HEAD, OPTIONS" }
}

/// Why a share link cannot be used.
package enum ShareRefusal: Error, Sendable, Equatable {
    /// It is not a link of this service, or was changed, or its key was removed. The reason is for the log.
    case invalid(String)
    /// It was a valid link. The reason is for the log.
    case ended(String)

    /// The reason for the operator.
    package var reason: String {
        switch self {
        case .invalid(let reason), .ended(let reason): reason
        }
    }
}
