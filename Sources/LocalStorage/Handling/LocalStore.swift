package import HTTP1
package import HTTPServer
package import Presigning
import Synchronization
import System

/// An S3-compatible object store in a directory, for development.
///
/// It takes pre-signed URLs only, in path style, and checks them as S3 does. Kept of an object are its bytes, the
/// headers S3 keeps (`Content-Type`, `Cache-Control`, `Content-Disposition`, `Content-Encoding`, `Content-Language`,
/// `Expires`, `x-amz-meta-*`) and one checksum. Of a multipart upload no checksum of the whole object is kept, only the
/// composite one; an upload that is neither completed nor aborted stays for good. `x-amz-acl`, `x-amz-storage-class`
/// and S3-managed encryption are taken and have no effect; what cannot be left out without harm (tags, locks, customer
/// keys, copies, versions) is answered with 501.
package final class LocalStore: Sendable {
    private static let width = 16

    /// What every URL must be signed with.
    package let credentials: Credentials

    package let authenticator: Authenticator
    private let origins: Mutex<Origins>
    let objects: ObjectFiles
    let uploads: UploadFiles
    /// For what may take long: waiting for the disk, and joining parts. More at once would not make a disk faster; as
    /// many more may wait as clients open connections in one burst.
    let work = WorkQueue(width: LocalStore.width, limit: 256)
    let cleanup: Cleanup
    package let report: @Sendable (String) -> Void
    private let files: StoreDirectory
    package let clock: @Sendable () -> SigningTime

    /// Opens the store, making directory and credentials at the first start.
    ///
    /// - Throws: when the directory cannot be used, holds foreign files, or another process has it; when its
    ///   credentials are damaged or readable by others; when no random bytes are to be had.
    package convenience init(_ configuration: LocalStoreConfiguration) throws(LocalStoreError) {
        try self.init(configuration) { SigningTime(secondsSince1970: WallClock.seconds()) }
    }

    /// - Parameter clock: tells the time URLs are judged at.
    package init(
        _ configuration: LocalStoreConfiguration, clock: @escaping @Sendable () -> SigningTime
    ) throws(LocalStoreError) {
        let files = try StoreDirectory(configuration.directory)
        credentials = try CredentialsFile(in: files.root, at: files.path).credentials(makingIn: files.incoming)
        authenticator = Authenticator(credentials: credentials, buckets: configuration.buckets)
        origins = Mutex(Origins(configured: configuration.origins))
        report = configuration.report
        cleanup = Cleanup(report: configuration.report)
        objects = ObjectFiles(files, cleanup)
        uploads = UploadFiles(files, cleanup)
        self.files = files
        self.clock = clock
    }

    /// Returns the credentials that a store made in a directory, without opening the store; nil before its first start.
    ///
    /// - Throws: `LocalStoreError` if another user owns or may change the directory or the file, or may read the file.
    package static func credentials(in directory: String) throws(LocalStoreError) -> Credentials? {
        do {
            let root = try Directory(existing: directory)
            try OwnershipCheck.check(directory, try root.status())
            return try CredentialsFile(in: root, at: directory).stored()
        } catch let error as SystemError where error.isAbsence {
            return nil
        } catch let error as LocalStoreError {
            throw error
        } catch {
            throw LocalStoreError(description: "cannot read the storage directory \(directory): \(error)")
        }
    }

    /// The API key of the service beside the store, as `keepKey` stored it in the directory's file `api-key`; nil if there
    /// is no such file. The first line, not checked.
    ///
    /// - Throws: when the file cannot be read, or is no text.
    package func keptKey() throws(LocalStoreError) -> String? {
        try APIKeyFile(in: files).key()
    }

    /// Stores the API key of the service beside the store in place of another, readable by its owner only; on the disk
    /// when this returns.
    ///
    /// - Parameter key: one line.
    /// - Throws: when the disk refuses; the key stored before remains.
    package func keepKey(_ key: String) throws(LocalStoreError) {
        try APIKeyFile(in: files).keep(key)
    }

    /// Lets the pages of one more web origin read answers: a page served beside the store has its port only when both run.
    package func allow(origin: String) {
        origins.withLock { $0.own.append(origin) }
    }

    /// Puts other origins in the place of those that the store was configured with; those of `allow` stay.
    package func replaceOrigins(by origins: [String]) {
        self.origins.withLock { $0.configured = origins }
    }

    var crossOrigin: CrossOrigin { origins.withLock { $0.rule } }

    /// The web origins that may read answers, and the rule that follows from them.
    private struct Origins {
        var configured: [String] { didSet { rule = CrossOrigin(origins: configured + own) } }
        var own: [String] = [] { didSet { rule = CrossOrigin(origins: configured + own) } }
        private(set) var rule: CrossOrigin

        init(configured: [String]) {
            self.configured = configured
            rule = CrossOrigin(origins: configured)
        }
    }

    /// The handler of one loop of a server of its own.
    package func makeHandler(loop: Int) -> any HTTPHandler {
        LocalStorageHandler(self, loop: loop)
    }

    /// Limits for that server: a key of 1024 bytes may be escaped threefold, and beside it stands the signature.
    package static var serverLimits: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLine = 16 * 1024
        limits.headerBytes = 32 * 1024
        limits.bodyBytes = 64 * 1024
        // A client that sends a large body at once must get to read why it is refused.
        limits.lingerBytes = ContentLimits.object
        // The loops write to the disk themselves: a slow one is no overload.
        limits.queueDelay = .seconds(1)
        return limits
    }

    /// Time-outs for that server.
    package static var serverTimeouts: HTTPTimeouts {
        var timeouts = HTTPTimeouts()
        timeouts.body = .seconds(60)
        timeouts.write = .seconds(60)
        timeouts.linger = .seconds(15)
        return timeouts
    }
}
