import Foundation
import Synchronization
import System
import Testing

@testable import ObjectExistence

@Suite("Existence checks", .serialized)
struct ObjectExistenceTests {
    private static func checker(
        inFlight: Int = 64, queued: Int = 600, total: Duration = .seconds(5)
    ) -> ObjectExistenceChecker {
        var configuration = ExistenceConfiguration()
        configuration.maximumInFlight = inFlight
        configuration.maximumQueued = queued
        configuration.timeout = total
        return ObjectExistenceChecker(configuration)
    }

    private static func outcome(
        _ checker: ObjectExistenceChecker, _ url: String, of caller: LimitKey = .one
    ) async -> ExistenceOutcome {
        await withCheckedContinuation { continuation in
            checker.head(url: url, of: caller) { continuation.resume(returning: $0) }
        }
    }

    @Test("The storage's status is returned, redirects are not followed", arguments: [200, 301, 403, 404, 500, 503])
    func statuses(status: Int) async throws {
        let server = try ScriptedServer { _ in
            "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\nLocation: http://127.0.0.1:1/\r\n\r\n"
        }
        defer { server.stop() }
        let checker = Self.checker()
        defer { checker.shutdown() }
        #expect(await Self.outcome(checker, server.url + "/k?X-Amz-Signature=abc") == .status(status, length: 0))
    }

    @Test("The length is that of the response, and unknown if the response does not state it")
    func lengths() async throws {
        let lengths: [(fields: String, length: Int64?)] = [
            ("Content-Length: 5", 5), ("Server: a", nil), ("Content-Length: 0", 0),
            ("Transfer-Encoding: chunked", nil), ("content-length: 5368709121", 5_368_709_121),
        ]
        let server = try ScriptedServer { head in
            let index = Int(head.prefix { $0 != "." }.drop { $0 != "/" }.dropFirst()) ?? 0
            return "HTTP/1.1 200 OK\r\n\(lengths[index].fields)\r\n\r\n"
        }
        defer { server.stop() }
        let checker = Self.checker()
        defer { checker.shutdown() }
        for (index, expected) in lengths.enumerated() {
            let outcome = await Self.outcome(checker, server.url + "/\(index).bin")
            #expect(outcome == .status(200, length: expected.length), "\(expected.fields)")
        }
    }

    @Test("What the response says about the object is kept, and nothing of an earlier response")
    func headers() async throws {
        let server = try ScriptedServer { head in
            let fields =
                "ETag: \"a-1\"\r\nLAST-MODIFIED: Sat, 01 Aug 2026 00:00:00 GMT\r\nContent-Type:  text/\u{e9}\r\n"
            return "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\(head.contains("/bare") ? "" : fields)X-Other: b\r\n\r\n"
        }
        defer { server.stop() }
        let checker = Self.checker()
        defer { checker.shutdown() }
        var expected = ObjectHeaders()
        #expect(await Self.outcome(checker, server.url + "/bare") == .status(200, length: 1, headers: expected))
        expected.entityTag = Array("\"a-1\"".utf8)
        expected.lastModified = Array("Sat, 01 Aug 2026 00:00:00 GMT".utf8)
        expected.contentType = Array("text/\u{e9}".utf8)
        #expect(await Self.outcome(checker, server.url + "/full") == .status(200, length: 1, headers: expected))
        #expect(
            await Self.outcome(checker, server.url + "/bare")
                == .status(200, length: 1, headers: ObjectHeaders()))
    }

    @Test("The request is a HEAD for exactly this path, with no proxy from the environment")
    func request() async throws {
        // Nothing else in this process accesses the environment at this time, because the suite is serialized.
        unsafe setenv("http_proxy", "http://127.0.0.1:1", 1)
        defer { unsafe unsetenv("http_proxy") }
        let heads = Mutex<[String]>([])
        let server = try ScriptedServer { head in
            heads.withLock { $0.append(head) }
            return "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        }
        defer { server.stop() }
        let checker = Self.checker()
        defer { checker.shutdown() }
        let outcome = await withCheckedContinuation { continuation in
            checker.head(url: server.url + "/b/a/../b//c%20d", of: .one) { continuation.resume(returning: $0) }
        }
        #expect(outcome == .status(200, length: 5))
        let head = try #require(heads.withLock { $0.first })
        #expect(head.hasPrefix("HEAD /b/a/../b//c%20d HTTP/1.1\r\n"))
        #expect(head.contains("\r\nUser-Agent: presign"))
    }

    @Test("Checks of a silent storage time out, including the queued ones")
    func timeouts() throws {
        let server = try ScriptedServer { _ in nil }
        defer { server.stop() }
        let checker = Self.checker(inFlight: 1, total: .milliseconds(300))
        defer { checker.shutdown() }
        // Without `await`, which resumes only when other tests leave a thread free.
        let outcomes = Mutex<[ExistenceOutcome]>([])
        let isCompleted = DispatchSemaphore(value: 0)
        let end = DispatchTime.now() + 3
        for path in ["/1", "/2"] {
            checker.head(url: server.url + path, of: .one) { outcome in
                outcomes.withLock { $0.append(outcome) }
                isCompleted.signal()
            }
        }
        for _ in 0..<2 { #expect(isCompleted.wait(timeout: end) == .success) }
        #expect(outcomes.withLock { $0 } == [.timedOut, .timedOut])
    }

    @Test(
        "Malformed responses are failures that do not contain the URL",
        arguments: [
            "", "garbage without an end\r\n\r\n",
            "HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 20_000) + "\r\n",
        ])
    func broken(response: String) async throws {
        let server = try ScriptedServer { _ in response }
        defer { server.stop() }
        let checker = Self.checker()
        defer { checker.shutdown() }
        guard case .failed(let reason) = await Self.outcome(checker, server.url + "/k?X-Amz-Signature=5ecret") else {
            Issue.record("expected a failure")
            return
        }
        #expect(!reason.contains("5ecret") && !reason.contains("127.0.0.1"))
    }

    @Test(
        "Unreachable hosts, other schemes and invalid URLs are failures",
        arguments: [
            "http://127.0.0.1:1/", "file:///etc/passwd", "ftp://127.0.0.1/", "nonsense://",
            "http://127.0.0.1:1/\r\nX: y",
        ])
    func refused(url: String) async {
        let checker = Self.checker()
        defer { checker.shutdown() }
        guard case .failed = await Self.outcome(checker, url) else {
            Issue.record("expected a failure")
            return
        }
    }

    @Test("While a caller's checks wait for a slow storage, another caller's check is sent at once")
    func turns() async throws {
        let isReleased = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { head in
            if head.hasPrefix("HEAD /slow/") {
                isReleased.wait()
                isReleased.signal()
            }
            return "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
        }
        defer { server.stop() }
        let checker = Self.checker(inFlight: 8, queued: 100, total: .seconds(60))
        defer { checker.shutdown() }
        let (slow, continuation) = AsyncStream<ExistenceOutcome>.makeStream()
        for number in 0..<50 {
            checker.head(url: server.url + "/slow/\(number)", of: .one) { continuation.yield($0) }
        }
        #expect(await Self.outcome(checker, server.url + "/fast", of: .two) == .status(200, length: 0))
        isReleased.signal()
        var count = 0
        for await outcome in slow.prefix(50) where outcome == .status(200, length: 0) { count += 1 }
        #expect(count == 50)
    }

    @Test("500 simultaneous checks complete, on no more connections than the limit, which are reused")
    func load() async throws {
        let server = try ScriptedServer { _ in "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        let checker = Self.checker(inFlight: 8, queued: 700)
        defer { checker.shutdown() }
        let outcomes = await withTaskGroup(of: ExistenceOutcome.self) { group in
            for number in 0..<500 { group.addTask { await Self.outcome(checker, server.url + "/\(number)") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .status(404, length: 0) } == 500)
        #expect(server.connections <= 8)
    }

    @Test("Checks above the limit are rejected immediately, and a shutdown completes each exactly once")
    func overload() throws {
        let server = try ScriptedServer { _ in nil }
        defer { server.stop() }
        let checker = Self.checker(inFlight: 2, queued: 3, total: .milliseconds(400))
        let outcomes = Mutex<[ExistenceOutcome]>([])
        // A caller leaves room for another one.
        for caller in [.one, .one, .one, .one, .one, .two, .two, .one, .two] as [LimitKey] {
            checker.head(url: server.url, of: caller) { outcome in outcomes.withLock { $0.append(outcome) } }
        }
        #expect(outcomes.withLock { $0 } == Array(repeating: .overloaded, count: 4))
        checker.shutdown()
        checker.shutdown()
        checker.head(url: server.url, of: .one) { outcome in outcomes.withLock { $0.append(outcome) } }
        #expect(outcomes.withLock { $0.count } == 10)
    }

    @Test("An unused checker shuts down and accepts no check afterwards")
    func unasked() {
        let checker = Self.checker()
        checker.shutdown()
        let outcomes = Mutex<[ExistenceOutcome]>([])
        checker.head(url: "http://127.0.0.1:1/", of: .one) { outcome in outcomes.withLock { $0.append(outcome) } }
        checker.shutdown()
        #expect(outcomes.withLock { $0 } == [.failed("the service is stopping")])
    }
}
