package import Foundation

/// The files of the repository that tests read: documents, configurations, cases.
package enum Repository {
    /// The top folder.
    package static let root: URL = {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return root
    }()

    /// The content of a file, by its path from the top folder.
    package static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appending(path: path)))
    }

    /// The same as UTF-8 text.
    package static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}
