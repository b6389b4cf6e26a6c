import ArgumentParser
import Foundation
import SocketTestSupport
import Telemetry
import TestSupport
import Testing

@testable import PresignServiceTestSupport
@testable import presign

@Suite("Names of an earlier version")
struct NameCompatibilityTests {
    private static let file = KeptFile("names.txt")

    /// Returns the names that this version has, each after its kind.
    private static func names() throws -> [String] {
        let names = try keys() + options() + exitCodes() + metrics() + events() + script()
        return Set(names).sorted()
    }

    /// Configuration keys. Another test compares the tables with the keys that the reader accepts.
    private static func keys() throws -> [String] {
        try #require(try MarkdownDocument.page("Configuration.md")).tableKeys
            .filter { $0.header.lowercased().hasPrefix("key") }.map { "key \($0.key)" }
    }

    private static func options(
        of command: any ParsableCommand.Type = Presign.self, _ name: String = "presign"
    ) -> [String] {
        let options = command.helpMessage(includeHidden: false, columns: 80)
            .matches(of: /\n  (?:(-[a-z]), )?(--[a-z0-9-]+)/).flatMap { [$0.1, $0.2] }.compactMap(\.self)
        return ["command \(name)"] + options.map { "option \(name) \($0)" }
            + command.configuration.subcommands.flatMap {
                Self.options(of: $0, "\(name) \($0.configuration.commandName ?? "")")
            }
    }

    private static func exitCodes() throws -> [String] {
        let page = try #require(try MarkdownDocument.page("CommandLine.md"))
        let heading = try #require(page.headings.first { $0.title == "Exit codes" })
        return page.section(heading).matches(of: /\n\| ([0-9]+) \|/).map { "exit code \($0.1)" }
    }

    /// Metrics with their types and labels.
    private static func metrics() throws -> [String] {
        let service = try TestService()
        for request in [presignRequest(#"{"path":"public/a"}"#), presignRequest("{")] {
            _ = try service.exchange(request)
        }
        let exposition = Exposition(try service.exchange("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n").text)
        return exposition.families.map { "metric \($0.name) \($0.type)" }
            + exposition.samples.flatMap { sample in sample.labels.map { "metric \(sample.name) \($0.name)=" } }
    }

    /// The values of `event` in diagnostics.
    private static func events() throws -> [String] {
        let folder = Repository.root.appending(path: "Sources").path()
        return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
            .flatMap { path in
                try Repository.text(of: "Sources/\(path)").matches(of: #/"event": ?"([a-z][a-z_-]+)"/#)
                    .map { "event \($0.1)" }
            }
    }

    /// The exports of presign.js, and the members of its types.
    private static func script() throws -> [String] {
        var (names, owner) = ([String](), "")
        for line in try Repository.text(of: "Sources/UploadPage/Resources/presign.d.ts").split(separator: "\n") {
            let exported = /export (?:declare )?(?:abstract )?(?:interface|class|type|function|const) (\w+)/
            if let match = line.prefixMatch(of: exported) {
                owner = String(match.1)
                names.append("script \(owner)")
            } else if let match = line.prefixMatch(of: #/\ \ (?:static\ )?(?:readonly\ )?(\w+)\??[:(<]/#) {
                names.append("script \(owner).\(match.1)")
            }
        }
        return names
    }

    @Test("All of them exist", .disabled(if: KeptFile.isRefreshing))
    func names() throws {
        let (kept, current) = (try Self.file.lines.dropFirst(), Set(try Self.names()))
        for kind in ["key ", "command ", "option ", "exit code ", "metric ", "event ", "script "] {
            #expect(kept.count { $0.hasPrefix(kind) } > 5, "\(kind)")
        }
        for name in kept { #expect(current.contains(name), "\(name) is gone") }
    }

    @Test("Names are kept", .enabled(if: KeptFile.isRefreshing))
    func keep() throws {
        let lines = ["version \(BuildInformation.version)"] + (try Self.names())
        try Self.file.write(lines.joined(separator: "\n") + "\n")
    }
}
