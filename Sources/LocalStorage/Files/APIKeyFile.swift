import System

/// The file `api-key`: one line with the development API key of the service that embeds the store. Only the owner may
/// read it.
struct APIKeyFile {
    private static let name = "api-key"
    /// The maximum size in bytes.
    private static let limit = 4096

    private let directory: StoreDirectory

    init(in directory: StoreDirectory) {
        self.directory = directory
    }

    /// Returns the first line without its line feed; nil if the file does not exist.
    func key() throws(LocalStoreError) -> String? {
        let content: [UInt8]
        do {
            content = try directory.root.openSecret(Self.name, in: directory.path).read(at: 0, count: Self.limit + 1)
        } catch let error as LocalStoreError {
            throw error
        } catch {
            if let error = error as? SystemError, error.isAbsence { return nil }
            throw unusable("\(error)")
        }
        guard content.count <= Self.limit, let text = String(validating: content, as: UTF8.self) else {
            throw unusable("it is larger than \(Self.limit) bytes or not UTF-8; remove it to create a new key")
        }
        return String(decoding: text.utf8.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// Replaces the file atomically, because a partially written key would lock out every caller.
    func store(_ key: String) throws(LocalStoreError) {
        do throws(SystemError) {
            // An attempt that failed may have left the file.
            try directory.incoming.removeTree(Self.name)
            let file = try directory.incoming.createFile(Self.name)
            try file.write(Array("\(key)\n".utf8).span)
            try file.sync()
            try directory.incoming.move(Self.name, to: directory.root, as: Self.name)
            try directory.root.sync()
        } catch {
            throw unusable("\(error)")
        }
    }

    private func unusable(_ reason: String) -> LocalStoreError {
        LocalStoreError(description: "cannot use \(directory.path)/\(Self.name): \(reason)")
    }
}
