import Cryptography
import DataFormats
import Presigning
import System
import Text

/// The store's credentials: an AWS shared credentials file with the profile `[default]`, which AWS tools can use too.
/// Only the owner may read it.
struct CredentialsFile {
    private static let name = "credentials"
    private static let idName = "aws_access_key_id"
    private static let secretName = "aws_secret_access_key"

    private let root: Directory
    private let rootPath: String
    private var path: String { "\(rootPath)/\(Self.name)" }

    /// - Parameters:
    ///   - root: the directory of the store.
    ///   - rootPath: the path of `root`, for messages.
    init(in root: Directory, at rootPath: String) {
        self.root = root
        self.rootPath = rootPath
    }

    /// Returns the stored credentials. If the file does not exist, it creates one, which it first writes to `incoming`.
    func credentials(creatingIn incoming: Directory) throws(LocalStoreError) -> Credentials {
        if let stored = try stored() { return stored }
        do {
            return try create(in: incoming)
        } catch {
            throw LocalStoreError(description: "cannot use \(path): \(error)")
        }
    }

    /// Returns the stored credentials; nil if the file does not exist.
    func stored() throws(LocalStoreError) -> Credentials? {
        do {
            guard try root.names().contains(Self.name) else { return nil }
            return try read(try root.openSecret(Self.name, in: rootPath))
        } catch let error as LocalStoreError {
            throw error
        } catch {
            throw LocalStoreError(description: "cannot use \(path): \(error)")
        }
    }

    private func create(in incoming: Directory) throws -> Credentials {
        let id = try "LOCAL" + Self.randomText(15, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let secret = try Self.randomText(40, of: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let text = """
            # Created by presign for the local storage in this directory. Keep it secret.
            [default]
            \(Self.idName) = \(id)
            \(Self.secretName) = \(secret)

            """
        let file = try incoming.createFile(Self.name)
        try file.write(Array(text.utf8).span)
        try file.sync()
        try incoming.move(Self.name, to: root, as: Self.name)
        try root.sync()
        return try Credentials(accessKeyID: id, secretAccessKey: secret)
    }

    private func read(_ file: OpenFile) throws -> Credentials {
        let content = try file.read(at: 0, count: 4097)
        guard content.count <= 4096, let file = INIFile(content) else {
            throw unusable("it is larger than 4096 bytes, or not UTF-8 without a byte order mark")
        }
        // The store wrote the file itself, so even a line that AWS tools would ignore is an error.
        if let mistake = file.firstMistake { throw unusable(Self.description(of: mistake)) }
        let settings = file.sections["default"] ?? [:]
        guard let id = settings[Self.idName], let secret = settings[Self.secretName], !id.isEmpty, !secret.isEmpty
        else { throw unusable("[default] must set \(Self.idName) and \(Self.secretName)") }
        guard (id + secret).utf8.allSatisfy(ASCII.isVisible) else {
            throw unusable("\(Self.idName) and \(Self.secretName) must be printable ASCII without spaces")
        }
        return try Credentials(accessKeyID: id, secretAccessKey: secret)
    }

    /// Describes a mistake without quoting the line, which may contain the secret.
    private static func description(of mistake: INIFile.Mistake) -> String {
        switch mistake {
        case .ignoredLine(let line): "line \(line) is not 'name = value' under a [profile]"
        case .repeatedSetting(let name, let line): "line \(line) has a duplicate \(name)"
        }
    }

    private func unusable(_ reason: String) -> LocalStoreError {
        LocalStoreError(
            description: "\(path) cannot be used: \(reason); fix it, or remove it to create new credentials")
    }

    /// Returns uniformly distributed random characters.
    ///
    /// - Parameter alphabet: ASCII characters; their number must be a power of two.
    private static func randomText(_ count: Int, of alphabet: String) throws(SecureRandom.Failure) -> String {
        let characters = Array(alphabet.utf8)
        let bytes = try SecureRandom.bytes(count: count).map { characters[Int($0) % characters.count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
