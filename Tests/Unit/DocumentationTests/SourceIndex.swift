import Foundation
import TestSupport

/// The Swift files of the repository, and what they declare and import.
struct SourceIndex {
    /// One file.
    struct File {
        /// Its code without comments.
        let code: String
        /// The types that it declares or extends.
        var owners: Set<String> = []
        /// The types that it declares.
        var types: Set<String> = []
        /// The functions, variables, cases and types that it declares.
        var members: Set<String> = []
        var imports: Set<String> = []
    }

    /// By the path in the repository.
    let files: [String: File]

    init() throws {
        var files: [String: File] = [:]
        for folder in ["Sources", "Tests"] {
            let root = Repository.root.appending(path: folder).path()
            for path in try FileManager.default.subpathsOfDirectory(atPath: root) where path.hasSuffix(".swift") {
                files["\(folder)/\(path)"] = File(text: try Repository.text(of: "\(folder)/\(path)"))
            }
        }
        self.files = files
    }

    /// The files of a module.
    func files(of module: String) -> [String: File] { files.filter { $0.key.hasPrefix("Sources/\(module)/") } }

    /// The modules that a module imports.
    func imports(of module: String) -> Set<String> {
        files(of: module).values.reduce(into: []) { $0.formUnion($1.imports) }
    }

    /// Whether a type of that name is declared.
    func declares(type name: String) -> Bool { files.values.contains { $0.types.contains(name) } }

    /// Whether a file that declares or extends the type declares the member.
    func declares(member name: String, of type: String) -> Bool {
        files.values.contains { $0.owners.contains(type) && $0.members.contains(name) }
    }

    /// Whether the product declares a member of that name.
    func declares(member name: String) -> Bool {
        files.contains { $0.key.hasPrefix("Sources/") && $0.value.members.contains(name) }
    }
}

extension SourceIndex.File {
    private static let typeKeywords: Set<String> = ["class", "struct", "enum", "protocol", "actor", "typealias"]

    private static let importModifiers: Set<String> = ["public", "package", "internal", "private", "fileprivate"]

    fileprivate init(text: String) {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
            Substring(line).firstRange(of: "//").map { Substring(line)[..<$0.lowerBound] } ?? Substring(line)
        }
        code = lines.joined(separator: "\n")
        for line in lines { read(Self.words(of: line)) }
    }

    private static func words(of line: Substring) -> [String] {
        line.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): false
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): false
            default: true
            }
        }.map { String(Substring($0)) }
    }

    private mutating func read(_ words: [String]) {
        for (index, word) in words.enumerated() {
            let rest = words[(index + 1)...]
            guard let next = rest.first else { return }
            switch word {
            case "import" where words[..<index].allSatisfy(Self.importModifiers.contains):
                // `import struct Module.Name`
                if let module = rest.first(where: { !Self.typeKeywords.contains($0) && $0 != "func" }) {
                    imports.insert(module)
                }
                return
            case "extension": owners.formUnion(rest.prefix { $0 != "where" })
            case "func", "var", "let": members.insert(next)
            case "init": members.insert(word)
            case "case" where index == 0 || words[index - 1] == "indirect": members.formUnion(rest)
            case _ where Self.typeKeywords.contains(word):
                for keyPath in [\Self.types, \.owners, \.members] { self[keyPath: keyPath].insert(next) }
            default: break
            }
        }
        if words.last == "init" { members.insert("init") }
    }
}

/// The targets of `Package.swift` in `Sources`, and the modules that each declares as its dependencies.
struct DeclaredModules {
    let dependencies: [String: Set<String>]

    init() throws {
        let text = try Repository.text(of: "Package.swift").replacing(/\/\/[^\n]*/, with: "")
        let starts = text.matches(of: /\.(?:executableTarget|target)\(\s*name: "(\w+)"/)
        var dependencies: [String: Set<String>] = [:]
        for (index, start) in starts.enumerated() {
            let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : text.endIndex
            let body = text[start.range.upperBound..<end]
            let own = body.firstRange(of: "swiftSettings").map { body[..<$0.lowerBound] } ?? body
            let name = String(start.1)
            // Benchmarks and the shared parts of tests lie elsewhere.
            let folder = Repository.root.appending(path: "Sources/\(name)").path()
            guard FileManager.default.fileExists(atPath: folder) else { continue }
            let list = own.firstRange(of: "dependencies: [").map { own[$0.upperBound...] } ?? ""
            let names = list.replacing(/, package: "[^"]*"/, with: "").matches(of: /"(\w+)"/).map { String($0.1) }
            dependencies[name] = Set(names).subtracting(["Resources", "ssl", "crypto", "curl"])
        }
        self.dependencies = dependencies
    }
}
