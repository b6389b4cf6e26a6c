import Foundation
import TestSupport
import Testing

@testable import Cryptography
@testable import LocalStorage
@testable import Presigning

@Suite("Opening a local store")
struct StoreOpeningTests {
    private func open(_ path: String) throws -> LocalStore {
        try LocalStore(directory: path, buckets: [])
    }

    private func message(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch { return "\(error)" }
    }

    @Test("Credentials are generated once, readable only by the owner, and kept")
    func credentials() throws {
        let directory = try TemporaryDirectory()
        let first = try open(directory.path).credentials
        #expect(first.accessKeyID.utf8.count == 20)
        #expect(first.accessKeyID.hasPrefix("LOCAL"))
        #expect(first.secretAccessKey.count == 40)
        let path = directory.path + "/credentials"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try open(directory.path).credentials
        #expect(again.accessKeyID == first.accessKeyID)
        #expect(again.secretAccessKey == first.secretAccessKey)
        let other = try TemporaryDirectory()
        #expect(try open(other.path).credentials.secretAccessKey != first.secretAccessKey)
    }

    static let broken = [
        "", "[default]\n", "[default]\naws_access_key_id = a\n",
        "aws_access_key_id = a\naws_secret_access_key = SECRET\n",
        "[other]\naws_access_key_id = a\naws_secret_access_key = SECRET\n", "[default]\nSECRET\n",
        "[default]\naws_access_key_id =\naws_secret_access_key = SECRET\n",
        "[default]\naws_access_key_id = a\naws_secret_access_key = SECRET\naws_access_key_id = b\n",
        "[default]\naws_access_key_id = a\n  aws_secret_access_key = SECRET\n",
        "[default]\naws_access_key_id = a b\naws_secret_access_key = SECRET\n", String(repeating: "#", count: 5000),
    ]

    @Test("A malformed credentials file is named in the error, kept, and not shown", arguments: broken)
    func brokenCredentials(_ text: String) throws {
        let directory = try TemporaryDirectory()
        _ = try open(directory.path)
        let path = directory.path + "/credentials"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let message = message { _ = try open(directory.path) }
        #expect(message.contains(path))
        #expect(!message.contains("SECRET"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test("A credentials file edited by hand is accepted if it is valid", arguments: ["\n", "\r\n"])
    func editedCredentials(_ end: String) throws {
        let directory = try TemporaryDirectory()
        _ = try open(directory.path)
        let lines = [
            "; mine", "[default]", "aws_access_key_id=ID", "aws_secret_access_key = a/b+c  ", "[other]", "x = y",
        ]
        try lines.joined(separator: end).write(
            toFile: directory.path + "/credentials", atomically: false, encoding: .utf8)
        #expect(try open(directory.path).credentials.accessKeyID == "ID")
    }

    @Test(
        "A secret file that others can read is rejected, with the command that fixes it",
        arguments: [0o640, 0o604, 0o620, 0o666])
    func permissions(_ mode: Int) throws {
        let directory = try TemporaryDirectory()
        _ = try open(directory.path)
        let path = "\(directory.path)/credentials"
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(message { _ = try open(directory.path) }.contains("chmod 600 \(path)"))
    }

    /// Files that another user could have written are not trusted.
    @Test(
        "A directory or file that others can write is rejected, with the command that fixes it",
        arguments: [("", 0o775), ("", 0o757), ("/objects", 0o720), ("/incoming", 0o702)])
    func changeable(_ name: String, _ mode: Int) throws {
        let directory = try TemporaryDirectory()
        _ = try open(directory.path)
        let path = directory.path + name
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let message = message { _ = try open(directory.path) }
        #expect(message.contains("\(path) can be changed by users other than its owner; run: chmod go-w \(path)"))
    }

    @Test(
        "A directory or file of another user is rejected, with the command that fixes it",
        .enabled(if: geteuid() == 0, "needs root, to give files to another user"),
        arguments: ["", "/credentials", "/uploads"])
    func foreignOwner(_ name: String) throws {
        let directory = try TemporaryDirectory()
        _ = try open(directory.path)
        let path = directory.path + name
        try FileManager.default.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: path)
        let message = message { _ = try open(directory.path) }
        #expect(message.contains("\(path) belongs to user 12345, but presign runs as user 0"))
        #expect(message.hasSuffix("chown 0 \(path)"))
    }

    @Test("Other commands read the store's credentials with the same checks and create nothing")
    func readBesideTheStore() throws {
        let directory = try TemporaryDirectory()
        let absent = directory.path + "/absent"
        #expect(try LocalStore.credentials(in: absent) == nil)
        #expect(!FileManager.default.fileExists(atPath: absent))
        #expect(try LocalStore.credentials(in: directory.path) == nil)
        let store = try open(directory.path)
        #expect(try LocalStore.credentials(in: directory.path)?.accessKeyID == store.credentials.accessKeyID)
        for (name, mode, fix) in [("/credentials", 0o644, "chmod 600"), ("", 0o777, "chmod go-w")] {
            let path = directory.path + name
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let message = message { _ = try LocalStore.credentials(in: directory.path) }
            #expect(message.hasSuffix("run: \(fix) \(path)"))
            try FileManager.default.setAttributes([.posixPermissions: 0o700 & mode], ofItemAtPath: path)
        }
    }

    @Test(
        "Owner and permissions decide whether a file is accepted",
        arguments: [
            (1000, 0o600, true, nil), (1000, 0o644, false, nil), (1000, 0o755, false, nil),
            (1001, 0o600, false, "chown 1000 p"), (0, 0o600, true, "chown 1000 p"), (1000, 0o640, true, "chmod 600 p"),
            (1000, 0o664, false, "chmod go-w p"), (1000, 0o646, false, "chmod go-w p"),
        ] as [(UInt32, UInt32, Bool, String?)])
    func ownership(_ owner: UInt32, _ permissions: UInt32, _ isSecret: Bool, _ fix: String?) {
        let fault = OwnershipCheck.fault(of: "p", owner: owner, permissions: permissions, user: 1000, isSecret)
        #expect(fault?.hasSuffix(fix ?? "none") == fix.map { _ in true })
    }

    @Test("A symbolic link in place of the credentials is not followed")
    func links() throws {
        let name = "credentials"
        let (directory, attacker) = (try TemporaryDirectory(), try TemporaryDirectory())
        _ = try open(directory.path)
        let path = "\(directory.path)/\(name)"
        try FileManager.default.moveItem(atPath: path, toPath: "\(attacker.path)/\(name)")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(attacker.path)/\(name)")
        let message = message { _ = try open(directory.path) }
        #expect(message == "\(path) is a symbolic link, which is not followed; run: rm \(path)")
    }

    @Test("A second process gets an error that names the directory in use")
    func locked() throws {
        let directory = try TemporaryDirectory()
        let first = try open(directory.path)
        let message = message { _ = try open(directory.path) }
        #expect(message.contains(directory.path))
        #expect(message.contains("in use by another process"))
        withExtendedLifetime(first) {}
    }

    @Test("A directory with other files is left unchanged")
    func foreign() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path + "/incoming", withIntermediateDirectories: true)
        try "mine".write(toFile: directory.path + "/incoming/letter", atomically: false, encoding: .utf8)
        #expect(message { _ = try open(directory.path) }.contains("holds other files"))
        #expect(try directory.files().keys.sorted() == ["incoming/letter"])
    }

    @Test("An unusable directory is named in the error", arguments: ["/nonexistent/storage", "/etc/hostname"])
    func impossible(_ path: String) {
        #expect(message { _ = try open(path) }.contains(path))
    }

    @Test("Unfinished files of a killed process are removed, finished ones are kept")
    func unfinishedFiles() throws {
        let directory = try TemporaryDirectory()
        let upload: String
        do {
            let store = try open(directory.path)
            upload = try store.uploads.create(ObjectFooterTests.footer)
        }
        let headless = String(repeating: "ab", count: 16)
        for place in ["incoming/half", "incoming/tree/nested/part-00001", "uploads/\(headless)/part-00001"] {
            try directory.write([1], to: place)
        }
        _ = try open(directory.path)
        let files = FileManager.default
        #expect(try files.contentsOfDirectory(atPath: directory.path + "/incoming").isEmpty)
        #expect(try files.contentsOfDirectory(atPath: directory.path + "/uploads") == [upload])
    }

    @Test("Unrelated files in the uploads directory are ignored and kept")
    func strays() throws {
        let directory = try TemporaryDirectory()
        _ = try open(directory.path)
        let strays = [".DS_Store", "notes/letter", String(repeating: "0", count: 32)]
        for name in strays { try directory.write([1], to: "uploads/\(name)") }
        _ = try open(directory.path)
        #expect(try directory.files(in: "/uploads").keys.sorted() == strays.sorted())
    }

    @Test("The error names what cannot be removed and tells the operator to remove it")
    func unremovable() throws {
        let directory = try TemporaryDirectory()
        _ = try open(directory.path)
        try directory.write([1], to: "incoming/tree/" + String(repeating: "deep/", count: 12) + "file")
        let message = message { _ = try open(directory.path) }
        #expect(message.contains("cannot remove \(directory.path)/incoming/tree: "))
        #expect(message.contains("remove it and its content by hand"))
    }

    @Test("A directory can be claimed after a process was killed while claiming it")
    func halfClaimed() throws {
        let directory = try TemporaryDirectory()
        try "presign lo".write(
            toFile: directory.path + "/presign-local-storage.new", atomically: false, encoding: .utf8)
        _ = try open(directory.path)
        try "other 2\n".write(toFile: directory.path + "/presign-local-storage", atomically: false, encoding: .utf8)
        #expect(message { _ = try open(directory.path) }.contains("another version"))
    }
}
