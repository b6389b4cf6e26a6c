import Dispatch
import SocketTestSupport
import Synchronization
import TestSupport

@testable import HTTP1
@testable import HTTPServer
@testable import LocalStorage
@testable import Presigning

/// A store on a real loopback socket, with a clock controlled by the test.
final class LiveStore: Sendable {
    static let bucket = "local"

    let directory: TemporaryDirectory
    let store: LocalStore
    let port: UInt16
    let buffers: BufferBudget
    private let server: HTTPServer
    private let clock: Clock
    private let reports: Reports

    /// The reports of the store to its operator.
    private final class Reports: Sendable {
        let lines = Mutex<[String]>([])
    }

    /// A clock that only the test advances.
    final class Clock: Sendable {
        private let seconds = Mutex<Int64>(1_700_000_000)
        var now: SigningTime { SigningTime(secondsSince1970: seconds.withLock { $0 }) }
        func advance(by count: Int64) { seconds.withLock { $0 += count } }
    }

    /// - Parameter bufferedBytes: the memory for incomplete requests and unsent responses.
    init(directory: TemporaryDirectory? = nil, origins: [String] = [], bufferedBytes: Int = 64 << 20) throws {
        let (clock, reports) = (Clock(), Reports())
        (self.clock, self.reports) = (clock, reports)
        self.directory = try directory ?? TemporaryDirectory()
        let store = try LocalStore(
            directory: self.directory.path, buckets: [(Self.bucket, "us-east-1"), ("other", "eu-west-1")],
            cors: CORSPolicy(origins: origins, maxAge: 60), clock: { clock.now },
            report: { line in reports.lines.withLock { $0.append(line) } })
        self.store = store
        var configuration = HTTPServerConfiguration(listen: [.tcp(host: "127.0.0.1", port: 0)], loops: 2)
        configuration.limits = LocalStore.serverLimits
        configuration.timeouts = LocalStore.serverTimeouts
        let buffers = BufferBudget(limit: bufferedBytes)
        self.buffers = buffers
        server = HTTPServer(configuration: configuration, buffers: buffers) {
            store.makeHandler(loop: $0, buffers: buffers)
        }
        try server.start()
        guard case .tcp(_, let port)? = server.boundAddresses.first else {
            throw RawClient.Failure(description: "no port")
        }
        self.port = port
    }

    deinit {
        server.shutdown()
        server.wait()
    }

    var now: SigningTime { clock.now }

    func advanceClock(by seconds: Int64) { clock.advance(by: seconds) }

    /// Waits until the queues are empty. Work comes first, because it creates cleanup tasks.
    func drain() {
        store.work.queue.sync(flags: .barrier) {}
        store.cleanup.queue.sync {}
    }

    /// The lines reported by the store.
    var reported: [String] { reports.lines.withLock { $0 } }

    /// Stores the object `old` as an earlier version did: uploaded in two parts whose sizes, and with a tag whose name
    /// and value, are not known.
    func placeOldObject(_ content: [UInt8]) throws {
        let file = try store.objects.newFile()
        try file.write(content.span)
        let footer = ObjectFooter(
            bucket: Array(Self.bucket.utf8), key: Array("old".utf8), contentLength: content.count,
            entityTag: Array("781e5e245d69b566979b86e28d23f2c7-2".utf8), lastModified: now,
            headers: [(Array("x-amz-tagging-count".utf8), Array("1".utf8))])
        try store.objects.place(file, footer, if: .none)
    }

    /// Properties of a signature that a test can change.
    struct Signing {
        var region = "us-east-1"
        var bucket = LiveStore.bucket
        var expiresIn = 600
        var credentials: Credentials?
        var headers: [(name: String, value: String)] = []
        var query: [(name: String, value: String)] = []
    }

    /// Path and query of a presigned URL.
    func target(
        _ operation: AWSS3SigningOperation, _ key: StoragePath, _ signing: Signing = Signing()
    ) throws -> String {
        let bucket = try S3Bucket(
            S3EndpointOptions(bucket: signing.bucket, region: signing.region, endpoint: "http://127.0.0.1:\(port)"))
        var presigner = Presigner()
        let task = AWSS3StorageGetURLTask(
            operation, key: key, in: bucket, expiresIn: signing.expiresIn, headers: signing.headers,
            query: signing.query)
        let url = try task.url(with: signing.credentials ?? store.credentials, at: now, using: &presigner)
        return String(url.text.dropFirst("http://127.0.0.1:\(port)".count))
    }

    /// Sends a request unchanged and reads the response.
    func send(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> RawResponse {
        let client = try RawClient(port: port)
        var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        client.send(Array((head + "\r\n").utf8) + (body ?? []))
        guard let response = try client.response(omitsBody: method == "HEAD") else {
            throw RawClient.Failure(description: "no response")
        }
        return response
    }

    /// Signs a request and sends it; `signed` headers are part of the signature.
    func exchange(
        _ operation: AWSS3SigningOperation, _ key: StoragePath, signed: [(name: String, value: String)] = [],
        query: [(name: String, value: String)] = [], headers: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> RawResponse {
        let target = try target(operation, key, Signing(headers: signed, query: query))
        return try send(operation.method, target, headers: signed.map { ($0.name, $0.value) } + headers, body: body)
    }
}
