import Foundation
import Testing

@testable import PresignClient

@Suite("Pause, resume, cancel")
struct PauseTests {
    /// Makes requests of a kind wait until their task is cancelled. Returns how many wait.
    private func hold(_ world: World, _ isHeld: @escaping @Sendable (World.Sent) -> Bool) -> Locked<Int> {
        let count = Locked(0)
        world.hooks.with { hooks in
            hooks.beforeStorage = { sent in
                guard isHeld(sent) else { return nil }
                count.with { $0 += 1 }
                try await Task.sleep(for: .seconds(60))
                return nil
            }
        }
        return count
    }

    @Test("an upload that continues after a pause asks for the parts first, and sends the missing ones alone")
    func continues() async throws {
        try await withWorld { world, folder in
            let file = try folder.file("a", size: 800_000)
            let held = hold(world) { $0.query["partNumber"] == "2" }
            let task = try world.client(in: folder.appending(path: "state"))
                .uploadFile(path: .fromString("a"), local: file)
            try await until { held.with { $0 } == 1 && world.state.with { $0.uploads["upload-0"]?.count } == 2 }
            task.pause()
            world.hooks.with { $0.beforeStorage = { _ in nil } }
            let before = world.sent.count
            // The storage loses a part meanwhile.
            world.state.with { $0.uploads["upload-0"]?[1] = nil }
            task.resume()
            #expect(try await task.value == "a")
            let first = world.sent[before]
            #expect(first.method == "GET" && first.query["uploadId"] == "upload-0" && !first.isPart)
            #expect(world.sent[before...].filter(\.isPart).map { $0.query["partNumber"] ?? "" }.sorted() == ["1", "2"])
            #expect(world.objects["a"] == content(800_000))
        }
    }

    @Test("an upload that was completed while it was paused has succeeded")
    func completedMeanwhile() async throws {
        try await withWorld { world, folder in
            let isCompleting = Locked(false)
            world.hooks.with { hooks in
                hooks.afterStorage = { sent in
                    guard sent.isCompletion else { return nil }
                    isCompleting.with { $0 = true }
                    // The response is lost.
                    try await Task.sleep(for: .seconds(60))
                    return nil
                }
            }
            let task = try world.client(in: folder).uploadData(path: .fromString("a"), data: content(800_000))
            try await until { isCompleting.with { $0 } }
            task.pause()
            world.hooks.with { hooks in
                hooks.afterStorage = { _ in nil }
                // Only an object of several parts has such an ETag.
                hooks.beforeStorage = { sent in
                    guard sent.method == "HEAD" else { return nil }
                    return .storage("", ["etag": "\"x-3\"", "content-length": "800000"])
                }
            }
            task.resume()
            #expect(try await task.value == "a")
            #expect(world.sent("PUT").count == 3)
        }
    }

    @Test("cancelling ends the value at once, and removes the parts and the record")
    func cancel() async throws {
        try await withWorld { world, folder in
            let file = try folder.file("a", size: 800_000)
            let held = hold(world) { $0.query["partNumber"] == "2" }
            let state = folder.appending(path: "state")
            let task = try world.client(in: state).uploadFile(path: .fromString("a"), local: file)
            try await until { held.with { $0 } == 1 }
            #expect(!state.names.isEmpty)
            task.cancel()
            #expect(await code { try await task.value } == "CancellationError")
            try await until { state.names.isEmpty }
            #expect(world.state.with { $0.uploads }.isEmpty)
            task.resume()
            #expect(await code { try await task.value } == "CancellationError")
        }
    }

    @Test("an upload that has failed for a reason that may pass continues with the parts that the storage has")
    func resumesAfterFailure() async throws {
        try await withWorld { world, folder in
            world.hooks.with { hooks in
                hooks.beforeStorage = { sent in
                    sent.query["partNumber"] == "3" ? .error("SlowDown", status: 503) : nil
                }
            }
            let client = try world.client(in: folder, concurrency: 1, retries: 0)
            let task = client.uploadData(path: .fromString("a"), data: content(800_000))
            #expect(await code { try await task.value } == "SlowDown")
            world.hooks.with { $0.beforeStorage = { _ in nil } }
            let before = world.sent("PUT").count
            task.resume()
            #expect(try await task.value == "a")
            #expect(world.sent("PUT").count - before < 3)
            #expect(world.objects["a"] == content(800_000))
        }
    }

    @Test("progress grows to the total and ends; a late reader gets the last one")
    func progress() async throws {
        try await withWorld { world, folder in
            let task = try world.client(in: folder).uploadData(path: .fromString("a"), data: content(800_000))
            var last: Progress?
            for await progress in await task.progress {
                #expect(progress.completedUnitCount <= 800_000)
                last = progress
            }
            _ = try await task.value
            #expect(last?.isCancelled == false)
            var late: [Int64] = []
            for await progress in await task.progress { late.append(progress.completedUnitCount) }
            #expect(late == [800_000])
        }
    }

    @Test("a second transfer of the same file to the same path is refused")
    func active() async throws {
        try await withWorld { world, folder in
            let file = try folder.file("a", size: 9)
            let held = hold(world) { $0.method == "PUT" }
            let client = try world.client(in: folder.appending(path: "state"))
            let task = client.uploadFile(path: .fromString("a"), local: file)
            try await until { held.with { $0 } == 1 }
            #expect(
                await code { try await client.uploadFile(path: .fromString("a"), local: file).value }
                    == .transferActive)
            task.cancel()
        }
    }

    @Test("no more uploads send at the same time than the client allows, and a cancelled one gives up its turn")
    func slots() async throws {
        let slots = Slots(1)
        let first = try await slots.acquire()
        let waiting = Task { try await slots.acquire() }
        let second = Task { try await slots.acquire() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        first.release()
        first.release()
        try await second.value.release()
        try await slots.acquire().release()
    }
}
