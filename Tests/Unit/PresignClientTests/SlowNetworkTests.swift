import Foundation
import Testing

@testable import PresignClient

/// One after the other, because each writes large parts.
@Suite("Uploads over slow networks: bytes that are sent again, and time", .serialized)
struct SlowNetworkTests {
    private static let size = 60_000_000

    /// Limits of each connection, or of the line that all share.
    static let speeds = [
        ThrottledNetwork.Speed(connection: 3_000_000), ThrottledNetwork.Speed(line: 4_000_000),
        ThrottledNetwork.Speed(line: 4_000_000, buffer: 250_000),
    ]

    /// Uploads zeros in parts.
    private func upload(
        over speed: ThrottledNetwork.Speed,
        _ body: (ThrottledNetwork, StorageUploadDataTask) async throws -> Void
    ) async throws {
        try await withWorld { _, folder in
            let network = ThrottledNetwork(speed, size: Self.size)
            let task = try network.client(in: folder).uploadData(path: .fromString("a"), data: Data(count: Self.size))
            try await body(network, task)
            task.cancel()
            network.end()
            try await until { folder.names.isEmpty }
        }
    }

    @Test("pauses at 25, 50 and 75 % send at most 5 % of the file again", arguments: speeds)
    func pauses(speed: ThrottledNetwork.Speed) async throws {
        try await upload(over: speed) { network, task in
            for share in [0.25, 0.5, 0.75] {
                try await network.pass { network.bytes >= share * Double(Self.size) }
                let start = network.seconds
                try await network.pause(task)
                try await network.pass { task.status == .paused }
                #expect(network.seconds - start <= 10.5)
                let kept = try #require(network.world.state.with { $0.uploads["upload-0"] }).values.map(\.count)
                #expect(await task.loaded == Int64(kept.reduce(0, +)))
                // A pause before the parts continue keeps the number.
                task.resume()
                try await network.pause(task)
                try await network.pass { task.status == .paused }
                #expect(await task.loaded == Int64(kept.reduce(0, +)))
                task.resume()
            }
            try await network.pass { task.status == .ended }
            #expect(try await task.value == "a")
            let ratio = network.bytes / Double(Self.size)
            #expect(ratio <= 1.05, "\(ratio)")
        }
    }

    @Test(
        "a program that is killed at 50 % sends few bytes again",
        arguments: [
            (300_000_000, speeds[0], 1.15), (size, speeds[1], 1.25), (size, speeds[2], 1.25),
        ])
    func restart(size: Int, speed: ThrottledNetwork.Speed, limit: Double) async throws {
        try await withWorld { _, folder in
            let (file, state) = (folder.appending(path: "file"), folder.appending(path: "state"))
            try Data().write(to: file)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: UInt64(size))
            try handle.close()
            let network = ThrottledNetwork(speed, size: size)
            let killed = try network.client(in: state).uploadFile(path: .fromString("a"), local: file)
            try await network.pass { network.bytes >= 0.5 * Double(size) }
            try await network.kill(killed, state)
            let transfers = try await network.client(in: state).resumeTransfers()
            guard case .upload("a", _, let task)? = transfers.first else {
                Issue.record("\(transfers)")
                return
            }
            try await network.pass { task.status == .ended }
            _ = try await task.value
            network.end()
            let ratio = network.bytes / Double(size)
            #expect(ratio <= limit, "\(ratio)")
        }
    }

    @Test("the URLs of the 58 parts of 300 MB are requested twelve at a time")
    func batches() async throws {
        try await withWorld { _, folder in
            let size = 300_000_000
            let network = ThrottledNetwork(Self.speeds[0], size: size)
            let task = try network.client(in: folder).uploadData(path: .fromString("a"), data: Data(count: size))
            try await network.pass { task.status == .ended }
            _ = try await task.value
            network.end()
            let (batches, signed) = network.world.state.with { ($0.batches, $0.signed.compactMap(\.partNumber)) }
            #expect(batches.map(\.count) == [12, 12, 12, 12, 10])
            #expect(signed.count == 58 && Set(signed) == Set(1...58), "no part is signed twice or alone")
        }
    }

    @Test("where each connection is slow, 60 MB arrive 4.3 times as fast as in one PUT")
    func speed() async throws {
        var seconds: [Double] = []
        for actions in [#"{"write": {}}"#, #"{"write": {}, "multipart": {}}"#] {
            try await withWorld { _, folder in
                let network = ThrottledNetwork(.init(connection: 2_000_000), size: Self.size)
                network.world.hooks.with { $0.actions = actions }
                let task = try network.client(in: folder).uploadData(
                    path: .fromString("a"), data: Data(count: Self.size))
                try await network.pass { task.status == .ended }
                _ = try await task.value
                network.end()
                seconds.append(network.seconds)
            }
        }
        #expect(seconds[0] / seconds[1] >= 4.3, "\(seconds)")
    }

    @Test("a part that needs more than 10 seconds is aborted at once")
    func slow() async throws {
        try await upload(over: .init(connection: 200_000)) { network, task in
            try await network.pass { network.bytes >= 1_000_000 }
            let start = network.seconds
            try await network.pause(task)
            try await network.pass { task.status == .paused }
            #expect(network.seconds == start)
            #expect(await task.loaded == 0)
        }
    }

    @Test("a pause ends after 20 seconds if the parts become slower")
    func stalled() async throws {
        try await upload(over: .init(connection: 3_000_000)) { network, task in
            try await network.pass { network.bytes >= 10_000_000 }
            let start = network.seconds
            try await network.pause(task)
            network.change { $0.connection = 1 }
            try await network.pass { network.seconds >= start + 19.9 || task.status != .pausing }
            #expect(task.status == .pausing)
            try await network.pass { task.status == .paused }
            #expect(await task.loaded == 0)
        }
    }

    @Test("a part that fails while the upload pauses is not repeated")
    func failing() async throws {
        try await upload(over: .init(connection: 3_000_000)) { network, task in
            try await network.pass { network.bytes >= 10_000_000 }
            network.world.hooks.with { $0.beforeStorage = { _ in .error("SlowDown", status: 503) } }
            try await network.pause(task)
            try await network.pass { task.status == .paused }
            let numbers = network.world.sent.compactMap(\.partNumber)
            #expect(!numbers.isEmpty && Set(numbers).count == numbers.count)
            #expect(await task.loaded == 0)
        }
    }

    @Test("an upload that is resumed while it pauses continues when the parts have ended")
    func resumed() async throws {
        try await upload(over: .init(connection: 3_000_000)) { network, task in
            try await network.pass { network.bytes >= 10_000_000 }
            try await network.pause(task)
            #expect(task.status == .pausing)
            task.resume()
            #expect(task.status == .running)
            try await network.pass { task.status == .ended }
            #expect(try await task.value == "a")
            #expect(network.bytes == Double(Self.size))
        }
    }
}

extension StorageTransferTask {
    /// The bytes of the progress at this moment.
    fileprivate var loaded: Int64? {
        get async {
            for await progress in await progress { return progress.completedUnitCount }
            return nil
        }
    }
}
