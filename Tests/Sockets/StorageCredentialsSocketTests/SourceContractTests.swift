import SocketTestSupport
import Testing

@testable import Cryptography
@testable import Presigning
@testable import StorageCredentials
@testable import Text

@Suite("Common behaviour of sources that fetch credentials")
struct SourceContractTests {
    @Test("Creating a source sends no request; fetching returns the credentials", arguments: FetchedSource.allCases)
    func good(kind: FetchedSource) throws {
        try kind.with(kind.delivery(kind.text())) { source, endpoint in
            guard case .fetched(let fetcher) = try #require(try source.resolve()) else {
                Issue.record("keys without asking")
                return
            }
            #expect(endpoint?.requests.isEmpty ?? true)
            let found = try fetcher.fetch()
            #expect(found.accessKeyID == "ASIAFAKE" && found.sessionToken == FetchedSource.token)
            #expect(found.secretAccessKey.withBytes { $0.equals(Array(FetchedSource.secret.utf8)) })
            #expect(found.expiration?.rfc3339Text == "2100-01-01T00:00:00Z")
            #expect(endpoint?.requests.isEmpty != true)
        }
    }

    @Test("Chunked, byte-by-byte and unframed responses are read", arguments: FetchedSource.overHTTP)
    func deliveries(kind: FetchedSource) throws {
        let text = kind.text()
        let size = String(text.utf8.count, radix: 16)
        let head = "HTTP/1.1 200 OK\r\n"
        for steps: [FakeEndpoint.Step] in [
            [.send(head + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\n\(text)\r\n0\r\n\r\n")],
            [.dribble(head + "Content-Length: \(text.utf8.count)\r\n\r\n" + text, milliseconds: 0)],
            [.send(head + "\r\n" + text)], [.send("HTTP/1.0 200 OK\r\n\r\n" + text)],
            kind.delivery(text) + [.finish, .hang],
        ] {
            try kind.with(steps) { source, _ in try expectKey("ASIAFAKE", of: source) }
        }
    }

    /// Defects of the document, for every source.
    static let badTexts: [(String, @Sendable (FetchedSource) -> String)] = [
        ("nothing", { _ in "" }), ("no document", { _ in "SECRET, not JSON, not XML" }),
        ("another document", { _ in #"["SECRET"]"# }),
        ("cut", { String($0.text().dropLast(3)) }), ("with more", { $0.text() + "x" }),
        ("twice", { $0.text() + $0.text() }), ("no id", { $0.text(.init(id: nil)) }),
        ("an empty id", { $0.text(.init(id: "")) }), ("no secret", { $0.text(.init(secret: nil)) }),
        ("an invalid expiration", { $0.text(.init(expiration: "tomorrow")) }),
        ("an end in another form", { $0.text(.init(expiration: "1700000000")) }),
        ("a control character", { $0.text(.init(token: $0 == .webIdentity ? "a&#10;b" : #"a\nb"#)) }),
        (
            "a duplicate member",
            {
                $0 == .webIdentity
                    ? $0.text().replacing("<AccessKeyId>", with: "<AccessKeyId>x</AccessKeyId><AccessKeyId>")
                    : $0.text().replacing("{", with: #"{"AccessKeyId":"x","#)
            }
        ),
        ("too large", { $0.text(.init(token: String(repeating: "SECRET", count: 12_000))) }),
        (
            "another kind",
            { $0 == .webIdentity || $0 == .container ? "{}" : $0.text(.init(kind: $0 == .imds ? "Failed" : "2")) }
        ),
    ]

    @Test(
        "An invalid document is a failure that does not quote it, never an absence",
        arguments: FetchedSource.allCases, badTexts.indices)
    func badText(kind: FetchedSource, index: Int) throws {
        let (name, text) = Self.badTexts[index]
        try kind.with(kind.delivery(text(kind))) { source, _ in
            let failure = #expect(throws: CredentialFailure.self, "\(name)") { _ = try source.credentials() }
            Self.check(failure, name)
        }
    }

    @Test("A session token and an expiration are required", arguments: FetchedSource.overHTTP)
    func members(kind: FetchedSource) throws {
        for document in [FetchedSource.Document(token: nil), .init(expiration: nil)] {
            try kind.with(kind.delivery(kind.text(document))) { source, _ in
                #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
            }
        }
        try FetchedSource.process.with([.send(FetchedSource.process.text(.init(token: nil, expiration: nil)))]) {
            source, _ in try expectKey("ASIAFAKE", of: source)
        }
    }

    /// Defects of the exchange; the document itself is valid.
    static let badExchanges: [(String, Duration, @Sendable (String) -> [FakeEndpoint.Step])] = [
        ("silence", .milliseconds(300), { _ in [.hang] }),
        (
            "a byte now and then", .milliseconds(300),
            {
                [.dribble("HTTP/1.1 200 OK\r\nContent-Length: \($0.utf8.count)\r\n\r\n" + $0, milliseconds: 20)]
            }
        ),
        ("closed at once", .seconds(10), { _ in [] }),
        (
            "half closed", .milliseconds(300),
            { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), .finish, .hang] }
        ),
        (
            "cut", .seconds(10),
            { [.send("HTTP/1.1 200 OK\r\nContent-Length: \($0.utf8.count)\r\n\r\n" + $0.dropLast(5))] }
        ),
        (
            "too short a length", .seconds(10),
            { [.send("HTTP/1.1 200 OK\r\nContent-Length: \($0.utf8.count - 5)\r\n\r\n" + $0)] }
        ),
        (
            "too long a length", .seconds(10),
            { [.send("HTTP/1.1 200 OK\r\nContent-Length: \($0.utf8.count + 5)\r\n\r\n" + $0)] }
        ),
        (
            "huge", .seconds(10),
            { _ in [.send("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "SECRET ", count: 20_000))] }
        ),
        ("500", .seconds(10), { [.response(500, $0)] }), ("404", .seconds(10), { [.response(404, $0)] }),
        ("403", .seconds(10), { [.response(403, $0)] }), ("204", .seconds(10), { [.response(204, $0)] }),
        ("a redirection", .seconds(10), { [.response(302, $0, fields: ["Location: http://127.0.0.1:1/"])] }),
        ("no HTTP", .seconds(10), { [.send($0)] }),
    ]

    @Test(
        "A failed exchange is reported in time, never as an absence",
        arguments: FetchedSource.overHTTP, badExchanges.indices)
    func badExchange(kind: FetchedSource, index: Int) throws {
        let (name, timeout, steps) = Self.badExchanges[index]
        try kind.with(steps(kind.text()), timeout: timeout) { source, _ in
            let start = ContinuousClock.now
            let failure = #expect(throws: CredentialFailure.self, "\(name)") { _ = try source.credentials() }
            Self.check(failure, name)
            #expect(ContinuousClock.now - start < .seconds(8), "\(name)")
        }
    }

    @Test(
        "An unreachable endpoint is a failure if the source was selected explicitly", arguments: FetchedSource.overHTTP)
    func unreachable(kind: FetchedSource) throws {
        try kind.with([]) { source, endpoint in
            endpoint?.stop()
            // A connection may still be accepted and closed until the listener is gone.
            let failure = #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
            Self.check(failure, "nobody")
        }
    }

    private static func check(_ failure: CredentialFailure?, _ name: String) {
        #expect(failure?.isAbsence == false, "\(name)")
        let text = failure?.description ?? ""
        #expect(!text.contains("SECRET") && !text.contains("TOKEN") && !text.contains("\n"), "\(name): \(text)")
    }
}
