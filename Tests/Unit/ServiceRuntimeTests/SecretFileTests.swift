import Foundation
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("Secrets of the service in the storage's directory")
struct SecretFileTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.path + "/api-key" }
    private var file: SecretFile { SecretFile(name: "api-key", directory: directory.path) }

    init() throws { directory = try TemporaryDirectory() }

    private func message() -> String {
        do {
            return "accepted: \(try file.secret() ?? "nothing")"
        } catch { return "\(error)" }
    }

    @Test("A secret is stored whole, readable only by the owner, and can be replaced")
    func stored() throws {
        #expect(try file.secret() == nil)
        try file.store("first")
        // Left behind by a killed process.
        try directory.write([1], to: "api-key.new")
        try file.store("second")
        #expect(try file.secret() == "second")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "second\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try directory.files().keys.sorted() == ["api-key"])
    }

    @Test(
        "The secret is the first line",
        arguments: [("", ""), ("one", "one"), ("one\ntwo\n", "one"), ("a\r\nb", "a\r")])
    func lines(_ content: String, _ secret: String) throws {
        try file.store("old")
        // Without replacing the file, whose mode stays.
        try content.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try file.secret() == secret)
    }

    @Test("Other content is refused", arguments: [[UInt8](repeating: 0x61, count: 4097), [0xFF]])
    func content(_ content: [UInt8]) throws {
        try directory.write(content, to: "api-key")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(message().contains("cannot use \(path): it is larger than 4096 bytes or not UTF-8"))
    }

    @Test(
        "A file that others can read or change is rejected, with the command that fixes it",
        arguments: [0o640, 0o604, 0o620, 0o666])
    func permissions(_ mode: Int) throws {
        try file.store("key")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(message().hasSuffix("run: chmod 600 \(path)"))
    }

    @Test(
        "A file of another user is rejected, with the command that fixes it",
        .enabled(if: geteuid() == 0, "needs root, to give files to another user"))
    func foreignOwner() throws {
        try file.store("key")
        try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: path)
        #expect(message().contains("\(path) belongs to user 12345, but presign runs as user 0"))
        #expect(message().hasSuffix("chown 0 \(path)"))
    }

    @Test("A symbolic link in place of the file is not followed, but replaced")
    func link() throws {
        let attacker = try TemporaryDirectory()
        try attacker.write(Array("stolen".utf8), to: "target")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "\(attacker.path)/target")
        #expect(message() == "\(path) is a symbolic link, which is not followed; run: rm \(path)")
        try file.store("own")
        #expect(try file.secret() == "own")
        #expect(try attacker.files()["target"] == Data("stolen".utf8))
    }
}
