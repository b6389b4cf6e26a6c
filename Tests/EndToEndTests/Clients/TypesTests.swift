import Foundation
import Testing
import UploadPage

@Suite("The types of presign.js")
struct TypesTests {
    static let compiler = "/usr/bin/tsc"

    @Test(
        "presign.d.ts and a program that uses all of it compile with the strictest options of tsc",
        .enabled("needs Debian's node-typescript") { FileManager.default.fileExists(atPath: compiler) })
    func compile() async throws {
        try await withTemporaryDirectory { directory in
            let types = try #require(UploadPage.asset(at: "/presign.d.ts".utf8)).bytes
            try Data(types).write(to: directory.appending(path: "presign.d.ts"))
            let example = URL(filePath: Python.script("x")).deletingLastPathComponent()
                .appending(path: "presign_types.ts")
            let program = directory.appending(path: "program.ts")
            try Data(contentsOf: example).write(to: program)
            let result = try await Command.run(
                Self.compiler,
                [
                    "--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022", "--lib",
                    "es2022,dom,dom.iterable",
                    "--moduleResolution", "node", program.path(),
                ])
            #expect(result.status == 0, "\(result.output)")
        }
    }

    @Test("presign.d.ts declares the public methods of the client, a transfer and a group")
    func declarations() throws {
        let types = try text("/presign.d.ts")
        for (file, name) in [("client", "Presign"), ("transfer", "Transfer"), ("group", "TransferGroup")] {
            let start = try #require(types.firstRange(of: "\(name) {") ?? types.firstRange(of: "\(name) extends"))
            let end = try #require(types[start.upperBound...].firstRange(of: "\n}"))
            let declaration = types[start.upperBound..<end.lowerBound]
            let members = try text("/js/\(file).js").matches(of: /\n  (?:async |get )?([a-z]\w*)\([^)\n]*\)? ?.*\{/)
                .map { String($0.1) }.filter { !["constructor", "then", "catch", "finally", "start"].contains($0) }
            #expect(members.count >= 5, "\(file): \(members)")
            for member in members {
                #expect(declaration.contains(try Regex("\\b\(member)[(?:]")), "\(name) lacks \(member)")
            }
        }
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try #require(UploadPage.asset(at: path.utf8)).bytes, as: UTF8.self)
    }
}
