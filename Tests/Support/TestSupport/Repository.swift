package import Foundation

/// Files of the repository that tests read: documents, configurations, cases.
package enum Repository {
    /// The root folder.
    package static let root: URL = {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root
    }()

    /// The content of a file; the path is relative to the root folder.
    package static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appending(path: path)))
    }

    /// The content of a file as UTF-8 text.
    package static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
