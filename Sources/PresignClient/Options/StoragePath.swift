/// A closure that returns a path for the caller's identity.
public typealias IdentityIDPathResolver = @Sendable (String) -> String

/// The path of an object, as in Amplify Storage: `.fromString("photos/cat.jpg")`.
public protocol StoragePath: Sendable {
    /// Returns the path for the caller's identity.
    var resolve: IdentityIDPathResolver { get }
}

/// A path that does not depend on the identity.
public struct StringStoragePath: StoragePath {
    /// Returns the path.
    public let resolve: IdentityIDPathResolver
}

/// A path with the caller's identity, which the service tells.
public struct IdentityIDStoragePath: StoragePath {
    /// Returns the path.
    public let resolve: IdentityIDPathResolver
}

extension StoragePath where Self == StringStoragePath {
    /// A path as it is.
    public static func fromString(_ path: String) -> Self { Self { _ in path } }
}

extension StoragePath where Self == IdentityIDStoragePath {
    /// A path with the caller's identity: `.fromIdentityID { "private/\($0)/cat.jpg" }`. The identity is what
    /// `{identity}` stands for in the access rules. Each use asks the service for it.
    public static func fromIdentityID(_ resolver: @escaping IdentityIDPathResolver) -> Self {
        Self(resolve: resolver)
    }
}
