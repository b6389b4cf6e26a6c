import Foundation
import Testing

/// The manual page that `config/manual.py` writes.
@Suite("The manual page", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct ManualTests {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../config/manual.py").standardized.path()

    @Test("It has every command, option and exit code")
    func content() async throws {
        let page = try await Command.run("/usr/bin/env", ["python3", Self.script, try #require(PresignProcess.binary)])
        #expect(page.status == 0 && page.errors.isEmpty, "\(page.errors)")
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "EXIT STATUS"] {
            #expect(page.output.contains(".SH \(section)\n"))
        }
        for command in ["serve", "url", "key new", "check\\-config", "explain", "test\\-rules", "healthcheck"] {
            #expect(page.output.contains(".SS presign \(command)\n"))
        }
        #expect(page.output.contains("\n\\fB\\-\\-local\\-listen\\fR \\fI<address>\\fR\n"))
        #expect(page.output.contains("\n.B 78\n"))
    }

    @Test(
        "groff formats it without a warning",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff"), "needs groff"))
    func format() async throws {
        let command = #"python3 "$0" "$1" | groff -man -ww -Tutf8"#
        let page = try await Command.run(
            "/bin/sh", ["-c", command, Self.script, try #require(PresignProcess.binary)])
        #expect(page.status == 0 && page.errors.isEmpty && !page.output.isEmpty, "\(page.errors)")
    }
}
