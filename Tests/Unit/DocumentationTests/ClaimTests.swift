import Foundation
import TestSupport
import Testing

/// What Design.md and CONTRIBUTING.md say about the code.
@Suite("Documents for contributors against the code")
struct ClaimTests {
    private static let sources = Result { try SourceIndex() }
    private static let modules = Result { try DeclaredModules() }

    private static func design() throws -> MarkdownDocument { try #require(try MarkdownDocument.page("Design.md")) }

    // MARK: Names

    /// Words of Swift, of formats and of other programs.
    private static let foreign: Set<String> = [
        "unsafe", "switch", "yes", "kid", "crit", "openssl", "getURL", "@unchecked Sendable",
        "nonisolated(unsafe)", ".note.gnu.build-id", ".swift_modhash", ".text", "GetObjectTagging",
        "websiteRedirectLocation", ".upToNextMinor", "--force-resolved-versions", "Package.resolved",
    ]

    @Test(
        "Every name in code spans exists",
        arguments: ["Sources/presign/presign.docc/Design.md", ".github/CONTRIBUTING.md"])
    func names(path: String) throws {
        let document = try MarkdownDocument(path: path)
        var found = 0
        for (line, text) in document.prose {
            for match in text.matches(of: /`([^`]+)`/) where !Self.foreign.contains(String(match.1)) {
                #expect(try Self.exists(String(match.1)), "\(path):\(line): \(match.1)")
                found += 1
            }
        }
        #expect(found > 40)
    }

    private static func exists(_ span: String) throws -> Bool {
        let sources = try sources.get()
        // A message, a heading, a version, or a command with the path of its program.
        if span.wholeMatch(of: /\w+: .*|\[[0-9.]+\].*|v[0-9].*|(git|swift|docker) .*/) != nil { return true }
        if span.wholeMatch(of: /(GET|POST|PUT|DELETE) \/.*/) != nil {
            let route = span.split(separator: " ")[1]
            return try Repository.text(of: "config/openapi.yaml").contains("\n  \(route):")
        }
        if span.wholeMatch(of: /(serve|explain|test-rules|diff-rules|presign)( [a-z-]+)*/) != nil {
            let help = try Repository.text(of: "Sources/presign/presign.docc/CommandLine.md")
            return span.split(separator: " ").allSatisfy { help.contains($0) }
        }
        let first = span.split(separator: " ").first.map(String.init) ?? span
        if first.contains("/") || first.wholeMatch(of: /[\w.+-]+\.(swift|yaml|yml|md|js|py|sh)/) != nil {
            return try isFile(first)
        }
        if let match = span.wholeMatch(of: /([A-Z]\w*)\.(\w+)/) {
            return sources.declares(member: String(match.2), of: String(match.1))
        }
        if span.wholeMatch(of: /[A-Z]\w*/) != nil {
            let isTarget = try Repository.text(of: "Package.swift").contains("\"\(span)\"")
            return isTarget || sources.declares(type: span)
        }
        return try isFile("\(span).js") || sources.declares(member: span)
    }

    /// Whether the repository has the file, at the path or anywhere.
    private static func isFile(_ name: String) throws -> Bool {
        if FileManager.default.fileExists(atPath: Repository.root.appending(path: name).path()) { return true }
        guard !name.contains("/") else { return false }
        return try [".github", "Sources", "Tests", "config"].contains { folder in
            try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: folder).path())
                .contains { ($0 as NSString).lastPathComponent == name }
        }
    }

    // MARK: Modules

    @Test("Each module imports exactly the modules that Package.swift declares")
    func imports() throws {
        let (sources, modules) = (try Self.sources.get(), try Self.modules.get())
        let system: Set<String> = [
            "Glibc", "Dispatch", "Synchronization", "FoundationEssentials", "Foundation", "FoundationNetworking",
            "FoundationXML", "CryptoKit",
        ]
        #expect(modules.dependencies.count >= 20)
        for (module, declared) in modules.dependencies where !sources.files(of: module).isEmpty {
            let imported = sources.imports(of: module).subtracting(system)
            #expect(imported == declared, "\(module): \(imported.symmetricDifference(declared).sorted())")
        }
    }

    @Test("Only test targets import modules for testing, which a release build without a product would refuse")
    func releaseBuild() throws {
        let manifest = try Repository.text(of: "Package.swift")
        let folders = manifest.matches(of: /\.(?:executableT|t)arget\(\s*name: "\w+"[^()]*?path: "(Tests\/[^"\\]+)"/)
            .map { String($0.1) }
        #expect(folders.contains("Tests/SigningVectors") && folders.contains("Tests/Benchmarks/Signing"))
        #expect(manifest.contains(".testTarget(name: name, dependencies: dependencies, path: \"Tests/Support/"))
        let files = try Self.sources.get().files.filter { path, _ in folders.contains { path.hasPrefix("\($0)/") } }
        #expect(!files.isEmpty && files.allSatisfy { !$0.value.code.contains("@testable") })
    }

    @Test("The diagram of Design.md shows the imports, without those that another path shows")
    func diagram() throws {
        let declared = try Self.modules.get().dependencies
        let block = try #require(try Self.design().blocks.first { $0.language == "mermaid" })
        let base = Set(
            (block.text.firstRange(of: "subgraph base").map { block.text[$0.upperBound...] } ?? "")
                .split(separator: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0 != "end" && !$0.isEmpty })
        var arrows: [String: Set<String>] = [:]
        for match in block.text.matches(of: /(\w+)(?:\["[^"]*"\])? --> (\w+)/) {
            arrows[String(match.1), default: []].insert(String(match.2))
        }
        func reached(from start: String, not direct: String? = nil) -> Set<String> {
            var (found, open) = (Set<String>(), (arrows[start] ?? []).subtracting(direct.map { [$0] } ?? []))
            while let next = open.popFirst() {
                if found.insert(next).inserted { open.formUnion(arrows[next] ?? []) }
            }
            return found
        }
        let alone = block.text.matches(of: /(?m)^ +(\w+)\["[^"]*"\]$/).map { String($0.1) }
        let drawn = Set(arrows.keys).union(arrows.values.joined()).union(base).union(alone)
        #expect(drawn == Set(declared.keys), "\(drawn.symmetricDifference(declared.keys).sorted())")
        #expect(base.count == 4)
        for (module, targets) in arrows {
            for target in targets {
                #expect(declared[module]?.contains(target) == true, "\(module) does not import \(target)")
                #expect(!reached(from: module, not: target).contains(target), "\(module) --> \(target) is shown twice")
            }
        }
        for (module, imports) in declared where !base.contains(module) {
            let missing = imports.subtracting(base).intersection(declared.keys).subtracting(reached(from: module))
            #expect(missing.isEmpty, "the imports of \(module) lack \(missing.sorted())")
        }
    }

    @Test("The table of modules in Design.md has each module once")
    func table() throws {
        let keys = try Self.design().tableKeys.filter { $0.header == "module" }.map(\.key)
        #expect(keys.sorted() == (try Self.modules.get().dependencies.keys.sorted()))
    }

    // MARK: What modules do without

    /// The modules whose row in the table of Design.md contains the words.
    private static func modules(claiming words: String) throws -> [String] {
        let rows = try design().prose.map(\.text).filter { $0.hasPrefix("| `") && $0.contains(words) }
        return rows.compactMap { $0.firstMatch(of: /`(\w+)`/).map { String($0.1) } }
    }

    /// The places where code of the module matches.
    private static func places(in module: String, _ pattern: Regex<Substring>) throws -> [String] {
        try sources.get().files(of: module).flatMap { path, text in
            text.code.matches(of: pattern).map { "\(path): \($0.output)" }
        }
    }

    @Test("Modules without I/O call nothing of the system")
    func noInputOrOutput() throws {
        let claiming = try Self.modules(claiming: "no I/O")
        #expect(Set(claiming) == ["Presigning", "HTTP1"])
        let calls =
            #/(?:^|[^.\w`])(?:open|close|read|write|pread|pwrite|send|recv|sendfile|socket|connect|accept|bind|listen|poll|fopen|stat|getenv|print|system|fork)\(/#
        for module in claiming {
            #expect(try Self.places(in: module, calls) == [])
            let imports = try Self.sources.get().imports(of: module)
            let forbidden: Set<String> = [
                "Glibc", "Dispatch", "Foundation", "FoundationEssentials", "CPlatform", "CCurl",
            ]
            #expect(imports.isDisjoint(with: forbidden), "\(module): \(imports)")
        }
    }

    @Test("Modules without a clock read none, and modules without unsafe code have none")
    func noClockAndNothingUnsafe() throws {
        let (clockless, safe) = (try Self.modules(claiming: "no clock"), try Self.modules(claiming: "no unsafe code"))
        #expect(clockless == ["Presigning"] && safe == ["Presigning"])
        let clocks =
            #/\b(?:ContinuousClock|SuspendingClock|WallClock|MonotonicTime|clock_gettime|gettimeofday|time\(nil\)|Date\(\))/#
        for module in clockless { #expect(try Self.places(in: module, clocks) == []) }
        let unsafe = #/\bunsafe\b|\bUnsafe\w+|nonisolated\(unsafe\)|@unchecked/#
        for module in safe { #expect(try Self.places(in: module, unsafe) == []) }
    }

    @Test("A module that is the only importer of another one is, and the service has no sockets")
    func onlyImporter() throws {
        let (sources, modules) = (try Self.sources.get(), try Self.modules.get())
        let rows = try Self.design().prose.map(\.text)
        let claims = rows.compactMap { $0.firstMatch(of: /`(\w+)`.*the only importer of `(\w+)`/) }
        #expect(claims.map { "\($0.1)" } == ["ObjectExistence", "System"])
        for claim in claims {
            let importers = modules.dependencies.keys.filter { sources.imports(of: $0).contains(String(claim.2)) }
            #expect(importers == [String(claim.1)], "\(claim.2)")
        }
        let sockets = #/(?:^|[^.\w])(?:socket|connect|accept|bind|listen|send|recv)\(/#
        for module in try Self.modules(claiming: "without sockets") {
            #expect(try Self.places(in: module, sockets) == [])
        }
        for module in try Self.modules(claiming: "knows nothing about S3") {
            #expect(try Self.places(in: module, #/\b(?:S3|AWS|bucket)\w*/#) == [])
        }
        let foundation = modules.dependencies.keys.filter { sources.imports(of: $0).contains("Foundation") }
        #expect(foundation == ["PresignClient"])
        #expect(rows.contains { $0.contains("Only `PresignClient`, which is for apps, imports Foundation.") })
    }

    @Test("State that a comment calls not locked while writing is not locked there")
    func withoutLocks() throws {
        let paths = try Self.sources.get().files.keys.filter {
            try Repository.text(of: $0).contains("not locked while writing")
        }
        #expect(paths.count >= 2)
        for path in paths {
            let text = try Repository.text(of: path)
            #expect(text.contains("withLock"), "\(path)")
            #expect(text.firstMatch(of: /withLock\s*\{[^{}]*\bwrite\(/) == nil, "\(path)")
        }
    }

    // MARK: presign.js

    @Test("Two tables have each script; a module of presign.js imports only from its own row and those below")
    func scriptModules() throws {
        let folder = Repository.root.appending(path: "Sources/UploadPage/Resources/js")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".js") }
        let rows = Dictionary(
            try Self.design().tableKeys.filter { $0.header == "modules" }.map { ($0.key, $0.line) }
        ) { first, _ in first }
        let page = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Sources/UploadPage/Resources/page").path()
        ).filter { $0.hasSuffix(".js") }
        #expect(Set(rows.keys) == Set((files + page).map { String($0.dropLast(3)) }))
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for match in text.matches(of: /(?m)^(?:import|export)\b[^;]*?from "\.\/(\w+)\.js/) {
                let (own, other) = (rows[String(file.dropLast(3))] ?? 0, rows[String(match.1)] ?? 0)
                #expect(own <= other, "\(file) imports \(match.1)")
            }
        }
    }
}
