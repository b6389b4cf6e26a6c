import Cryptography
import Foundation
import TestSupport
import Testing
import Text

/// A file of `Tests/Compatibility`: what an earlier version of the same major version had.
struct KeptFile: CustomStringConvertible {
    static let folder = "Tests/Compatibility"
    /// Whether the files are written instead of compared, as `Tests/Compatibility/refresh.sh` does.
    static let isRefreshing = ProcessInfo.processInfo.environment["PRESIGN_KEEP"] != nil

    let description: String

    init(_ name: String) { description = name }

    /// The name in the repository.
    private var path: String { "\(Self.folder)/\(description)" }

    var bytes: [UInt8] { get throws { try Repository.bytes(of: path) } }
    var text: String { get throws { try Repository.text(of: path) } }
    var lines: [String] { get throws { try text.split(separator: "\n").map(String.init) } }

    /// Replaces the content.
    func write(_ text: String) throws { try Data(text.utf8).write(to: Repository.root.appending(path: path)) }

    /// All files, sorted by name.
    static var all: [KeptFile] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: folder).path())
                .filter { !$0.hasSuffix(".sh") && !$0.hasSuffix(".py") }.sorted().map { KeptFile($0) }
        }
    }

    /// 16 hexadecimal digits that change with any of the files.
    static var digest: String {
        get throws {
            let hashes = try all.flatMap { Array("\($0)\n".utf8) + SHA256.hash(try $0.bytes).bytes }
            return Hexadecimal.encode(Array(SHA256.hash(hashes).bytes.prefix(8)))
        }
    }
}

@Suite("The changelog and the kept files", .disabled(if: KeptFile.isRefreshing))
struct KeptFileTests {
    @Test("The changelog has an entry for the state of the kept files")
    func entry() throws {
        let names = try KeptFile.all.map(\.description)
        #expect(names.count == 8, "\(names)")
        let (digest, changelog) = (try KeptFile.digest, try Repository.text(of: ".github/CHANGELOG.md"))
        #expect(
            changelog.contains("`\(digest)`"),
            "the files in \(KeptFile.folder) changed: say what in CHANGELOG.md, with `\(digest)`")
    }
}
