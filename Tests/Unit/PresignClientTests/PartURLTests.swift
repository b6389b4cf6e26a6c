import Foundation
import Testing

@testable import PresignClient

@Suite("The URLs of parts")
struct PartURLTests {
    /// Twelve parts whose URLs are requested four at a time, in a world whose URLs are valid for 60 seconds.
    private func urls(_ world: World, _ seconds: Locked<Int> = Locked(0)) throws -> PartURLs {
        let start = ContinuousClock.now
        var requests = Requests(transport: world, timeout: 60, retries: nil)
        requests.now = { start + .seconds(seconds.with { $0 }) }
        requests.sleep = { [state = world.state] seconds in state.with { $0.delays.append(seconds) } }
        let service = PresignService(endpoint: try World.endpoint, store: "s", headers: { [:] }, requests: requests)
        var template = SignRequest(method: "PUT", path: "a")
        template.uploadId = "u"
        return PartURLs(
            service, PartPlan(size: 119, partSize: 10), template, missing: Array(1...12), count: 4)
    }

    private func number(_ signed: SignedRequest) -> Int? {
        let items = URLComponents(url: signed.url, resolvingAgainstBaseURL: false)?.queryItems
        return items?.first { $0.name == "partNumber" }?.value.flatMap { Int($0) }
    }

    /// The parts whose URLs were requested alone.
    private func alone(_ world: World) -> [Int] {
        let (signed, batches) = world.state.with { ($0.signed.compactMap(\.partNumber), $0.batches) }
        var rest = signed
        for number in batches.joined() { rest.firstIndex(of: number).map { _ = rest.remove(at: $0) } }
        return rest
    }

    @Test("a part without a URL requests those of the next parts too, and each URL is used once")
    func batches() async throws {
        let world = World()
        let urls = try urls(world)
        for part in [2, 1, 3, 4, 7, 5, 6, 9, 8, 11, 10, 12] {
            #expect(try await number(urls.sign(part, checksum: nil)) == part)
        }
        #expect(world.state.with { $0.batches } == [[2, 1, 3, 4], [7, 5, 6, 8], [9, 10, 11, 12]])
        #expect(alone(world) == [])
        #expect(try await number(urls.sign(3, checksum: nil)) == 3)
        #expect(alone(world) == [3] && world.state.with { $0.batches.count } == 3)
        let signed = world.state.with { $0.signed }
        #expect(signed.allSatisfy { $0.store == "s" && $0.path == "a" && $0.uploadId == "u" && $0.method == "PUT" })
        #expect(signed.allSatisfy { $0.contentLength == ($0.partNumber == 12 ? 9 : 10) && $0.checksumSHA256 == nil })
    }

    @Test("parts that are signed at the same time share a batch")
    func shared() async throws {
        let world = World()
        let urls = try urls(world)
        let signed = (1...4).map { part in Task { try await urls.sign(part, checksum: nil) } }
        for (task, part) in zip(signed, 1...4) { #expect(try await number(task.value) == part) }
        #expect(world.state.with { $0.batches.map { $0.sorted() } } == [[1, 2, 3, 4]])
    }

    @Test("a part with a checksum is signed alone")
    func checksum() async throws {
        let world = World()
        let signed = try await urls(world).sign(2, checksum: "c")
        #expect(number(signed) == 2 && signed.headers["x-amz-checksum-sha256"] == "c")
        #expect(alone(world) == [2] && world.state.with { $0.batches } == [])
    }

    @Test("URLs that expire before they are used are requested again, together")
    func expiry() async throws {
        let (world, seconds) = (World(), Locked(0))
        let urls = try urls(world, seconds)
        _ = try await urls.sign(1, checksum: nil)
        seconds.with { $0 = 54 }
        _ = try await urls.sign(2, checksum: nil)
        #expect(world.state.with { $0.batches.count } == 1)
        seconds.with { $0 = 56 }
        for part in [3, 4] { #expect(try await number(urls.sign(part, checksum: nil)) == part) }
        #expect(world.state.with { $0.batches } == [[1, 2, 3, 4], [3, 4, 5, 6]])
        #expect(alone(world) == [])
    }

    @Test("a URL that expires before its batch arrives is used, because another would expire too")
    func expired() async throws {
        let (world, seconds) = (World(), Locked(0))
        world.hooks.with { hooks in
            hooks.onService = { _ in
                seconds.with { $0 += 56 }
                return nil
            }
        }
        let urls = try urls(world, seconds)
        for part in 1...2 { #expect(try await number(urls.sign(part, checksum: nil)) == part) }
        #expect(world.state.with { $0.batches } == [[1, 2, 3, 4], [2, 3, 4, 5]])
    }

    @Test("a refused item of a batch is the error of its part alone")
    func refused() async throws {
        let world = World()
        world.hooks.with { hooks in
            hooks.refusal = { $0.partNumber == 2 ? (403, #""code": "forbidden", "requestId": "r""#) : nil }
        }
        let urls = try urls(world)
        #expect(try await number(urls.sign(1, checksum: nil)) == 1)
        do {
            _ = try await urls.sign(2, checksum: nil)
            Issue.record("no error")
        } catch let failure as StorageFailure {
            #expect(failure.source == .service && failure.code == .forbidden && failure.status == 403)
            #expect(failure.requestID == "r")
        }
        #expect(try await number(urls.sign(3, checksum: nil)) == 3)
        #expect(world.state.with { $0.batches.count } == 1 && alone(world) == [])
    }

    @Test("an item that exceeds a rate limit is signed alone when its turn comes, and repeated")
    func limited() async throws {
        let (world, refusals) = (World(), Locked(0))
        world.hooks.with { hooks in
            hooks.refusal = { fields in
                guard fields.partNumber == 2, refusals.next() <= 2 else { return nil }
                return (429, #""code": "rate-limited""#)
            }
        }
        let urls = try urls(world)
        for part in 1...3 { #expect(try await number(urls.sign(part, checksum: nil)) == part) }
        #expect(world.state.with { $0.batches.count } == 1)
        #expect(refusals.with { $0 } == 3, "in the batch, alone, and repeated")
        #expect(world.state.with { $0.delays.count } == 1)
    }

    @Test("a batch that the service cannot sign now is repeated; one that it refuses is the error of its parts")
    func whole() async throws {
        let (world, attempts) = (World(), Locked(0))
        world.hooks.with { hooks in
            hooks.onService = { _ in
                switch attempts.next() {
                case 1: .json(#"{"code": "rate-limited"}"#, status: 429)
                case 2: .json(#"{"code": "body-too-large"}"#, status: 413)
                case 3: .json(#"{"results": []}"#)
                default: nil
                }
            }
        }
        let urls = try urls(world)
        #expect(await code { try await urls.sign(1, checksum: nil) } == "body-too-large")
        #expect(world.state.with { $0.delays.count } == 1)
        #expect(await code { try await urls.sign(1, checksum: nil) } == .unexpectedResponse)
        #expect(try await number(urls.sign(1, checksum: nil)) == 1)
        #expect(world.state.with { $0.batches } == [[1, 2, 3, 4]])
    }

    @Test("a part that is aborted ends its batch, and the others request another")
    func aborted() async throws {
        let (world, attempts) = (World(), Locked(0))
        world.hooks.with { hooks in
            hooks.onService = { _ in
                if attempts.next() == 1 { try await Task.sleep(for: .seconds(60)) }
                return nil
            }
        }
        let urls = try urls(world)
        let first = Task { try await urls.sign(1, checksum: nil) }
        try await until { attempts.with { $0 } == 1 }
        let others = [2, 3, 4].map { part in Task { try await urls.sign(part, checksum: nil) } }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        for (other, part) in zip(others, 2...4) { #expect(try await number(other.value) == part) }
        #expect(attempts.with { $0 } == 2 && alone(world) == [])
    }
}
