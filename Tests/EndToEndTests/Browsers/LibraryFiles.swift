import Foundation
import UploadPage

/// presign.js and its tests in `Tests/clients/library`, as a site has them.
enum LibraryFiles {
    /// Folders with further copies of presign.js, for tests that need modules nothing has used before.
    private static let copies = ["/fresh", "/oldest"]
    /// The module with the cases that presign.js and PresignClient share.
    private static let cases = "/tests/cases.js"
    private static let tests = URL(filePath: Python.script("x")).deletingLastPathComponent().appending(path: "library")

    /// Returns the content of a file, or nil if there is none.
    static func content(at path: String) -> [UInt8]? {
        if path == cases {
            let file = tests.appending(path: "../../Cases/transfers.json")
            return (try? Data(contentsOf: file)).map { Array("export default ".utf8) + $0 }
        }
        if path.hasPrefix("/tests/") {
            let name = path.dropFirst("/tests/".count)
            guard !name.contains("/") else { return nil }
            return (try? Data(contentsOf: tests.appending(path: String(name)))).map { Array($0) }
        }
        let copy = copies.first { path.hasPrefix($0 + "/") } ?? ""
        return UploadPage.asset(at: path.utf8.dropFirst(copy.utf8.count))?.bytes
    }

    /// Writes all files to a folder, for Node.js.
    static func write(to folder: URL) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: tests.path())
        let modules = UploadPage.paths.filter { $0.hasSuffix(".js") }
        let copied = ([""] + copies).flatMap { copy in modules.map { copy + $0 } }
        let paths = copied + names.map { "/tests/" + $0 } + [cases]
        for path in paths {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content(at: path) ?? []).write(to: file)
        }
        try Data(#"{"type": "module"}"#.utf8).write(to: folder.appending(path: "package.json"))
    }
}
