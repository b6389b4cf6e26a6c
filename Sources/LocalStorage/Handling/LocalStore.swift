package import HTTP1
package import HTTPServer
package import Presigning
import Synchronization
import System

/// An S3-compatible object store in a directory, for development.
///
/// It accepts pre-signed URLs, HTML forms, and requests that SDKs sign in the `Authorization` header, in path style, and
/// checks them as S3 does.
///
/// - An object consists of its bytes, one checksum and the headers that S3 stores: `Content-Type`, `Cache-Control`,
///   `Content-Disposition`, `Content-Encoding`, `Content-Language`, `Expires`, `x-amz-meta-*`, the storage class,
///   the settings of S3-managed encryption, tags and `x-amz-acl`. The last four have no effect.
/// - A multipart object has only the composite checksum, not one of the whole content.
/// - An upload that is neither completed nor aborted is kept forever.
/// - Features that cannot be ignored safely (locks, customer keys, versions) get 501.
package final class LocalStore: Sendable {
    private static let width = 16

    /// The credentials that every URL must be signed with.
    package let credentials: Credentials

    package let authenticator: Authenticator
    private let origins: Mutex<Origins>
    private let allowedHosts: Mutex<AllowedHosts>
    let objects: ObjectFiles
    let uploads: UploadFiles
    /// Runs slow work: waiting for the disk and joining parts. More threads would not make a disk faster; the limit
    /// allows for a burst of connections.
    let work = WorkQueue(width: LocalStore.width, limit: 256)
    let cleanup: Cleanup
    package let report: @Sendable (String) -> Void
    package let clock: @Sendable () -> SigningTime
    /// When the store was opened, which listings show as the creation of the buckets.
    let openedAt: SigningTime

    /// Opens the store. The first start creates the directory and the credentials.
    ///
    /// - Parameters:
    ///   - directory: its path. It is created if it is missing, but its parent must exist.
    ///   - buckets: with distinct names, and the regions that their URLs must be signed for. All of them exist; requests
    ///     cannot create or remove one.
    ///   - cors: the web origins whose pages may read responses.
    ///   - hosts: the hosts that requests can name.
    ///   - clock: returns the time at which URLs are verified; nil for the wall clock.
    ///   - report: called with one line for every response with a status of 500 or above, and for every failed cleanup.
    ///     The line for a request contains its id, method, path as sent (percent-encoded, so without control
    ///     characters), S3's error code and the reason. No line contains a query, a signature or a credential. It is
    ///     called on any thread, including the event loops', and must not block.
    /// - Throws: `LocalStoreError` if the directory is not usable, contains other files or is in use by another
    ///   process; if the credentials are damaged or another user may read them; if no random bytes are available.
    package init(
        directory: String, buckets: [(name: String, region: String)], cors: CORSPolicy = .none,
        hosts: AllowedHosts = AllowedHosts(),
        clock: (@Sendable () -> SigningTime)? = nil,
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(LocalStoreError) {
        let files = try StoreDirectory(directory)
        credentials = try CredentialsFile(in: files.root, at: files.path).credentials(creatingIn: files.incoming)
        authenticator = Authenticator(credentials: credentials, buckets: buckets)
        origins = Mutex(Origins(configured: cors))
        allowedHosts = Mutex(hosts)
        self.report = report
        cleanup = Cleanup(report: report)
        objects = ObjectFiles(files, cleanup)
        uploads = UploadFiles(files, cleanup)
        let clock = clock ?? { SigningTime(secondsSince1970: WallClock.seconds()) }
        self.clock = clock
        openedAt = clock()
    }

    /// Returns the credentials of the store in a directory without opening the store; nil before its first start.
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

    /// Allows one more web origin to read responses. The origin of the embedded upload page is known only once its
    /// server has bound a port.
    package func allow(origin: String) {
        origins.withLock { $0.added.append(origin) }
    }

    /// Replaces the configured origins. Origins added with `allow` remain.
    package func replaceOrigins(by policy: CORSPolicy) {
        origins.withLock { $0.configured = policy }
    }

    /// Replaces the hosts that requests can name.
    package func replaceHosts(by hosts: AllowedHosts) {
        allowedHosts.withLock { $0 = hosts }
    }

    /// Throws unless a request names an allowed host.
    func checkHost(of head: HTTPRequest) throws(S3Error) {
        guard let request = allowedHosts.withLock({ $0 }).refusal(of: head) else { return }
        let fix = request.origin.map { "; to allow this one, add cors: {origins: [\"\($0)\"]} to the configuration" }
        throw S3Error(
            421, "MisdirectedRequest",
            "The storage accepts requests only for localhost, IP addresses and configured names\(fix ?? "")")
    }

    /// Returns the refusal of an unsigned request, which for a route of the service says where that is.
    func refusal(of error: S3Error, to request: S3Request) -> S3Error {
        let routes: Set<String> = ["presign", "o", "permissions", "readyz", "healthz"]
        guard error.code == "AccessDenied", authenticator.regions[request.bucket] == nil,
            routes.contains(String(decoding: request.bucket, as: UTF8.self)),
            let service = origins.withLock({ $0.added.first })
        else { return error }
        return S3Error(error.status, error.code, "This is the storage; presign is at \(service)")
    }

    var crossOrigin: CrossOrigin { origins.withLock { $0.rule } }

    /// The web origins that may read responses, and the CORS rule for them.
    private struct Origins {
        var configured: CORSPolicy { didSet { rule = CrossOrigin(configured.adding(added)) } }
        var added: [String] = [] { didSet { rule = CrossOrigin(configured.adding(added)) } }
        private(set) var rule: CrossOrigin

        init(configured: CORSPolicy) {
            self.configured = configured
            rule = CrossOrigin(configured)
        }
    }

    /// Creates the handler for one event loop of the storage server.
    ///
    /// - Parameter buffers: the budget of that server.
    package func makeHandler(loop: Int, buffers: BufferBudget) -> any HTTPHandler {
        LocalStorageHandler(self, loop: loop, buffers: buffers)
    }

    /// The limits of the storage server. A request line contains the signature and a key of up to 1024 bytes, which
    /// percent-encoding can triple.
    package static var serverLimits: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLine = 16 * 1024
        limits.headerBytes = 32 * 1024
        limits.bodyBytes = DeleteList.maximumSize
        // A client that sends a large body without waiting must still be able to read a refusal.
        limits.lingerBytes = S3Limits.upload
        // The loops write to the disk themselves, so a slow disk must not count as overload.
        limits.queueDelay = .seconds(1)
        return limits
    }

    /// The timeouts of the storage server.
    package static var serverTimeouts: HTTPTimeouts {
        var timeouts = HTTPTimeouts()
        timeouts.body = .seconds(60)
        timeouts.write = .seconds(60)
        timeouts.linger = .seconds(15)
        return timeouts
    }
}
