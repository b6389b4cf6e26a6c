public import Foundation

/// Has the options of ``PresignStorage/list(path:options:)``.
public enum StorageListRequest {
    /// The options of ``PresignStorage/list(path:options:)``.
    public struct Options: Sendable {
        /// Which objects below the path are listed.
        public enum SubpathStrategy: Sendable {
            /// All of them.
            case include
            /// Those whose paths continue without the delimiter; the others are grouped. The service accepts `/` only.
            case exclude(delimitedBy: String = "/")

            /// Excludes subpaths delimited by `/`.
            public static var exclude: Self { .exclude() }
        }

        /// Which objects below the path are listed.
        public var subpathStrategy: SubpathStrategy
        /// The maximum number of entries of a page, 1 to 1,000.
        public var pageSize: UInt
        /// The ``StorageListResult/nextToken`` of the page before.
        public var nextToken: String?

        /// Creates options for the first page of all objects, unless given.
        public init(
            subpathStrategy: SubpathStrategy = .include, pageSize: UInt = 1_000, nextToken: String? = nil
        ) {
            self.subpathStrategy = subpathStrategy
            self.pageSize = pageSize
            self.nextToken = nextToken
        }
    }
}

/// One page of a listing.
public struct StorageListResult: Sendable, Equatable {
    /// An object.
    public struct Item: Sendable, Equatable {
        /// The object's path.
        public let path: String
        /// Its size in bytes.
        public let size: Int?
        /// The entity tag, which changes with the content.
        public let eTag: String?
        /// When it was stored.
        public let lastModified: Date?

        /// Creates an item, for previews and tests of an app.
        public init(path: String, size: Int? = nil, eTag: String? = nil, lastModified: Date? = nil) {
            self.path = path
            self.size = size
            self.eTag = eTag
            self.lastModified = lastModified
        }
    }

    /// The objects, in the order of their paths.
    public let items: [Item]
    /// The paths that the delimiter has grouped.
    public let excludedSubpaths: [String]
    /// For the next page; nil on the last one.
    public let nextToken: String?

    /// Creates a page, for previews and tests of an app.
    public init(items: [Item], excludedSubpaths: [String] = [], nextToken: String? = nil) {
        self.items = items
        self.excludedSubpaths = excludedSubpaths
        self.nextToken = nextToken
    }
}
