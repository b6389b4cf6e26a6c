import System

/// The file `api-key`: the development key of the service beside the store, in one line. Only its owner may read it.
struct APIKeyFile {
    private static let name = "api-key"
    /// Bytes that are read of it, at most.
    private static let limit = 4096

    private let directory: StoreDirectory

    init(in directory: StoreDirectory) {
        self.directory = directory
    }

    /// The first line, without its line feed; nil when there is no file.
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
            throw unusable("it is larger than \(Self.limit) bytes or not UTF-8; remove it to have a new key made")
        }
        return String(decoding: text.utf8.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// Replaces the file as a whole: half a key would lock every caller out.
    func keep(_ key: String) throws(LocalStoreError) {
        do throws(SystemError) {
            // Left by an attempt that failed halfway.
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
