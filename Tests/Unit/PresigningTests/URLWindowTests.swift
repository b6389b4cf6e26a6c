import Presigning
import Testing

/// URLs that stay the same within a window, so that browsers cache what they fetch.
@Suite("Windows of cache-stable URLs")
struct URLWindowTests {
    /// A multiple of 900 s.
    private static let start = SigningTime(secondsSince1970: 1_789_999_200)

    private static func task(
        _ operation: AWSS3SigningOperation = .getObject, expiresIn: Int = 3600, window: Int = 900,
        query: [(name: String, value: String)] = []
    ) throws -> AWSS3StorageGetURLTask {
        AWSS3StorageGetURLTask(
            operation, key: "a", in: try Fixture.bucket(), expiresIn: expiresIn, query: query, window: window)
    }

    private static func sign(
        _ task: AWSS3StorageGetURLTask, after seconds: Int, with key: Credentials? = nil
    ) throws -> PresignedURL {
        var presigner = Presigner()
        return try task.url(
            with: key ?? Fixture.credentials(), at: start.advanced(bySeconds: seconds), using: &presigner)
    }

    @Test(
        "Within a window all URLs for an object are equal, and each is valid for at least the requested time",
        arguments: [AWSS3SigningOperation.getObject, .headObject], [0, 1, 800, 899])
    func withinWindow(operation: AWSS3SigningOperation, seconds: Int) throws {
        let first = try Self.sign(Self.task(operation), after: 0)
        let url = try Self.sign(Self.task(operation), after: seconds)
        #expect(url.bytes == first.bytes)
        #expect(url.parameter("X-Amz-Date") == "20260921T140000Z" && url.parameter("X-Amz-Expires") == "4500")
        #expect(url.expiresIn == 4500 - seconds && url.stableFor == 900 - seconds && url.limitedBy == nil)
        #expect(url.expiresAt == Self.start.advanced(bySeconds: 4500))
        #expect(url.admits(method: operation.method, headers: [], key: try Fixture.credentials()))
    }

    @Test("At the edge of a window the URL changes, also when the clock is set back", arguments: [900, 1799, -1, -900])
    func otherWindow(seconds: Int) throws {
        var shared = Presigner()
        let (task, key) = (try Self.task(), try Fixture.credentials())
        for offset in [0, seconds, 0] {
            let time = Self.start.advanced(bySeconds: offset)
            let url = try task.url(with: key, at: time, using: &shared)
            #expect(url.bytes == (try Self.sign(task, after: offset).bytes))
            #expect((url.bytes == (try Self.sign(task, after: 0).bytes)) == (offset == 0))
            #expect(3600...4500 ~= url.expiresIn && url.expiresAt == time.advanced(bySeconds: url.expiresIn))
        }
    }

    @Test(
        "Other operations ignore the window",
        arguments: [
            .putObject, .deleteObject, .createMultipartUpload, .uploadPart(partNumber: 1, uploadId: "u"),
            .completeMultipartUpload(uploadId: "u"), .abortMultipartUpload(uploadId: "u"), .listParts(uploadId: "u"),
        ] as [AWSS3SigningOperation])
    func otherOperations(operation: AWSS3SigningOperation) throws {
        for window in [900, -1] {
            let url = try Self.sign(Self.task(operation, window: window), after: 800)
            #expect(url.bytes == (try Self.sign(Self.task(operation, window: 0), after: 800).bytes))
            #expect(url.stableFor == 0 && url.expiresIn == 3600)
        }
    }

    @Test(
        "The window is shortened so that no URL is signed for more than 7 days",
        arguments: [
            (603_900, 900, 604_800, 900), (604_000, 900, 604_800, 800), (604_799, 900, 604_800, 1),
            (604_800, 900, 604_800, 0), (1, 604_799, 604_800, 604_799), (2, 604_799, 604_800, 604_798),
        ])
    func sevenDays(expiresIn: Int, window: Int, signed: Int, effective: Int) throws {
        let url = try Self.sign(Self.task(expiresIn: expiresIn, window: window), after: 450)
        #expect(url.parameter("X-Amz-Expires") == "\(signed)")
        #expect(expiresIn...signed ~= url.expiresIn && url.stableFor <= effective)
        let cacheControl = effective > 0 ? "private%2C%20max-age%3D\(effective)" : nil
        #expect(url.parameter("response-cache-control") == cacheControl)
    }

    @Test(
        "The URL ends with its credentials, and `limitedBy` says so only if that is less than requested",
        arguments: [
            // Seconds until the credentials end, signed lifetime, actual lifetime; 800 s after the window's start.
            (5000, 4500, 3700, 100, nil), (3700, 4500, 3700, 100, nil), (3699, 4499, 3699, 100, nil),
            (3600, 4400, 3600, 100, nil), (3599, 4399, 3599, 100, .credentials), (60, 860, 60, 60, .credentials),
            (1, 801, 1, 1, .credentials),
        ] as [(Int, Int, Int, Int, PresignedURL.Limit?)])
    func credentials(left: Int, signed: Int, expiresIn: Int, stable: Int, limit: PresignedURL.Limit?) throws {
        let key = try Credentials(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s", sessionToken: "t",
            expiration: Self.start.advanced(bySeconds: 800 + left))
        let url = try Self.sign(Self.task(), after: 800, with: key)
        #expect(url.parameter("X-Amz-Expires") == "\(signed)")
        #expect(url.expiresIn == expiresIn && url.stableFor == stable && url.limitedBy == limit)
        #expect(url.expiresAt == Self.start.advanced(bySeconds: 800 + expiresIn))
        #expect(url.bytes == (try Self.sign(Self.task(), after: 0, with: key).bytes))
    }

    @Test("Credentials that ended after the window's start sign nothing")
    func endedCredentials() throws {
        let key = try Credentials(
            accessKeyID: "AKIDEXAMPLE", secretAccessKey: "s", expiration: Self.start.advanced(bySeconds: 100))
        #expect(throws: StorageError.self) { try Self.sign(Self.task(), after: 100, with: key) }
        #expect(try Self.sign(Self.task(), after: 99, with: key).expiresIn == 1)
    }

    @Test(
        "Cache-Control is signed unless the request says how to cache",
        arguments: [
            ([], 900, "private%2C%20max-age%3D900"), ([], 0, nil),
            ([("response-cache-control", "no-cache")], 900, "no-cache"), ([("response-expires", "0")], 900, nil),
            ([("response-content-type", "a/b")], 60, "private%2C%20max-age%3D60"),
        ] as [([(name: String, value: String)], Int, String?)])
    func cacheControl(query: [(name: String, value: String)], window: Int, value: String?) throws {
        for operation in [AWSS3SigningOperation.getObject, .headObject] {
            let url = try Self.sign(Self.task(operation, window: window, query: query), after: 1)
            #expect(url.parameter("response-cache-control") == value)
            for (name, _) in query { #expect(url.parameter(name) != nil) }
        }
    }

    @Test("A window that no lifetime allows is rejected", arguments: [-1, 604_800, .min, .max])
    func invalid(window: Int) throws {
        let error = try #require(throws: StorageError.self) { try Self.sign(Self.task(window: window), after: 0) }
        guard case .validation("window", _, _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("The existence check is signed for the moment and without Cache-Control")
    func existenceCheck() throws {
        var presigner = Presigner()
        let task = AWSS3StorageGetURLTask(
            .getObject, key: "a", in: try Fixture.bucket(), validateObjectExistence: true, window: 900)
        let time = Self.start.advanced(bySeconds: 800)
        let head = try #require(
            try task.existenceCheck(with: Fixture.credentials(), at: time, using: &presigner))
        #expect(head.parameter("X-Amz-Date") == "20260921T141320Z" && head.expiresIn == 60)
        #expect(head.parameter("response-cache-control") == nil)
    }
}
