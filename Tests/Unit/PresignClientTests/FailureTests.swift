import Foundation
import Testing

@testable import PresignClient

@Suite("Servers that do not respond, or refuse")
struct FailureTests {
    /// Makes the storage unreachable for a number of attempts of PUT. Returns the number of attempts.
    private func cut(_ world: World, _ times: Int) -> Locked<Int> {
        let attempts = Locked(0)
        world.hooks.with { hooks in
            hooks.beforeStorage = { sent in
                guard sent.method == "PUT", attempts.next() <= times else { return nil }
                throw URLError(.networkConnectionLost)
            }
        }
        return attempts
    }

    @Test("an upload waits for a storage that has succeeded before, longer than a minute")
    func waitsForStorage() async throws {
        try await withWorld { world, folder in
            let client = try world.client(in: folder)
            _ = try await client.uploadData(path: .fromString("first"), data: content(9)).value
            let attempts = cut(world, 30)
            _ = try await client.uploadData(path: .fromString("a"), data: content(9)).value
            #expect(attempts.with { $0 } == 31)
            #expect(world.state.with { $0.delays }.reduce(0, +) > 600)
        }
    }

    @Test("the same for the service, also behind a gateway")
    func waitsForService() async throws {
        try await withWorld { world, folder in
            let client = try world.client(in: folder)
            _ = try await client.uploadData(path: .fromString("first"), data: content(9)).value
            let attempts = Locked(0)
            world.hooks.with { hooks in
                hooks.onService = { _ in
                    let attempt = attempts.next()
                    if attempt > 30 { return nil }
                    if attempt.isMultiple(of: 2) { return .json("{}", status: 502) }
                    throw URLError(.cannotConnectToHost)
                }
            }
            _ = try await client.uploadData(path: .fromString("a"), data: content(9)).value
            #expect(attempts.with { $0 } == 31)
        }
    }

    @Test("a storage that never succeeded gets three retries, and the caller's number of retries holds")
    func limits() async throws {
        try await withWorld { world, folder in
            let attempts = cut(world, .max)
            let client = try world.client(in: folder)
            let upload = { (client: PresignStorage) in
                _ = try await client.uploadData(path: .fromString("a"), data: content(9)).value
            }
            #expect(await code { try await upload(client) } == .networkError)
            #expect(attempts.with { $0 } == 4)
            let strict = try world.client(in: folder, retries: 2)
            strict.context.storage.requests.reached.add("https://storage.test")
            #expect(await code { try await upload(strict) } == .networkError)
            #expect(attempts.with { $0 } == 7)
        }
    }

    @Test("an expired URL is renewed three times, an ended credential too; another refusal is final")
    func renewal() async throws {
        try await withWorld { world, folder in
            let answers = Locked(["ExpiredToken", "AccessDenied: Request has expired", "InvalidAccessKeyId"])
            world.hooks.with { hooks in
                hooks.beforeStorage = { _ in
                    let answer = answers.with { $0.popLast() }
                    return answer.map { answer in
                        let code = answer.prefix { $0 != ":" }
                        return .storage("<Error><Code>\(code)</Code><Message>\(answer)</Message></Error>", status: 403)
                    }
                }
            }
            let client = try world.client(in: folder)
            _ = try await client.uploadData(path: .fromString("a"), data: content(9)).value
            #expect(world.state.with { $0.signed.count } == 4)
            #expect(world.state.with { $0.delays }.isEmpty)
            world.hooks.with { $0.beforeStorage = { _ in .error("AccessDenied", status: 403) } }
            #expect(
                await code { try await client.uploadData(path: .fromString("a"), data: content(9)).value }
                    == "AccessDenied")
            #expect(world.state.with { $0.signed.count } == 5)
        }
    }

    @Test("bytes that changed on the way are sent again")
    func badDigest() async throws {
        try await withWorld { world, folder in
            let answers = Locked([HTTPResponse.error("BadDigest", status: 400)])
            world.hooks.with { $0.beforeStorage = { _ in answers.with { $0.popLast() } } }
            _ = try await world.client(in: folder)
                .uploadData(path: .fromString("a"), data: content(9), options: .init(checksum: true)).value
            #expect(world.sent("PUT").count == 2)
        }
    }

    @Test("the headers are requested again after 401, and once only")
    func unauthorized() async throws {
        try await withWorld { world, folder in
            world.hooks.with { hooks in
                hooks.onService = { request in
                    if request.headers["Authorization"] == "Bearer 2" { return nil }
                    return .json(#"{"code": "token-expired", "detail": "The token has expired"}"#, status: 401)
                }
            }
            let count = Locked(0)
            let client = try world.client(in: folder) {
                ["Authorization": "Bearer \(count.next())"]
            }
            #expect(try await client.getURL(path: .fromString("a")).path() == "/bucket/a")
            #expect(count.with { $0 } == 2)
            #expect(await code { try await client.getURL(path: .fromString("a")) } == .tokenExpired)
            #expect(count.with { $0 } == 4)
        }
    }

    @Test("headers that cannot be had are an error of authorization")
    func headersFail() async throws {
        struct SignedOut: Error {}
        try await withWorld { world, folder in
            let client = try world.client(in: folder) { throw SignedOut() }
            do {
                try await client.remove(path: .fromString("a"))
                Issue.record("no error")
            } catch StorageError.authError(_, _, let error as StorageFailure) {
                #expect(error.cause is SignedOut)
            }
        }
    }

    @Test("a completion that fails with status 200 is repeated, and a lost part is sent again")
    func completion() async throws {
        try await withWorld { world, folder in
            let answers = Locked([
                HTTPResponse.error("InvalidPart", status: 400), .error("InternalError", status: 200),
            ])
            world.hooks.with { hooks in
                hooks.beforeStorage = { [state = world.state] sent in
                    guard sent.isCompletion, let answer = answers.with({ $0.popLast() }) else { return nil }
                    if answer.status == 400 { state.with { $0.uploads["upload-0"]?[2] = nil } }
                    return answer
                }
            }
            let bytes = content(800_000)
            _ = try await world.client(in: folder).uploadData(path: .fromString("a"), data: bytes).value
            #expect(world.sent.filter(\.isCompletion).count == 3)
            #expect(world.sent("PUT").map { $0.query["partNumber"] ?? "" }.sorted() == ["1", "2", "2", "3"])
            #expect(world.objects["a"] == bytes)
        }
    }

    @Test("an upload that fails for good is removed from the storage")
    func removed() async throws {
        try await withWorld { world, folder in
            world.hooks.with { hooks in
                hooks.beforeStorage = { sent in
                    sent.query["partNumber"] == "3" ? .error("AccessDenied", status: 403) : nil
                }
            }
            let file = try folder.file("a", size: 800_000)
            let state = folder.appending(path: "state")
            let task = try world.client(in: state).uploadFile(path: .fromString("a"), local: file)
            #expect(await code { try await task.value } == "AccessDenied")
            #expect(world.state.with { $0.uploads }.isEmpty)
            #expect(state.names.isEmpty)
        }
    }
}
