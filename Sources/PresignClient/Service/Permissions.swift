import Foundation

/// The response of `GET /permissions`: who the caller is, and what it may do at a path.
struct PermissionsResponse: Decodable, Sendable {
    struct Caller: Decodable, Sendable {
        let identity: String?
    }

    let caller: Caller
    /// Absent in the response for no path.
    let actions: Permissions?
}

/// What the caller may do at a path. An action that is not allowed is absent.
struct Permissions: Decodable, Sendable, Equatable {
    struct Read: Decodable, Sendable, Equatable {}

    struct Limits: Decodable, Sendable, Equatable {
        var maxSize: Int64?
        var partSize: Int64?
        var checksum: String?
        var overwrite: Bool?
    }

    var get: Read?
    var write: Limits?
    var multipart: Limits?
}
