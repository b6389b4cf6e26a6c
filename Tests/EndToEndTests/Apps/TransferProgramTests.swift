import Foundation
import TestSupport
import Testing

@Suite("The program of the sample package: faults, crashes, memory", .realParts, .transferProgram)
struct TransferProgramTests {
    private static let rules = [
        "{path: '*/checked/**', allow: {authenticated: [read, write, multipart]}, write: {checksum: sha256}}",
        "{path: '*/parts/**', allow: {authenticated: [read, write, multipart]}, write: {maxSize: 200m}, "
            + "multipart: {partSize: 5m}}",
    ]

    @Test("an app's package builds no other module, and links neither OpenSSL nor libcurl")
    func buildsAlone() async throws {
        let binary = URL(filePath: try #require(TransferProgram.binary))
        let folder = binary.deletingLastPathComponent()
        let objects = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".o") }
        let modules = Set(objects.compactMap { $0.split(separator: "/").first }).subtracting(["Modules"])
        #expect(modules == ["PresignClient.build", "transfer.build"])
        let linked = try await Command.run("/usr/bin/readelf", ["-d", binary.path()]).output
        #expect(linked.contains("libFoundation.so"))
        #expect(!linked.contains("libssl") && !linked.contains("libcrypto") && !linked.contains("libcurl"))
    }

    @Test(
        "transfers through a proxy that cuts, delays and corrupts end with the same bytes",
        arguments: StorageKind.atLeast(.local).filter { $0 != .swift })
    func faults(kind: StorageKind) async throws {
        let faults = ["cut=16000000", "corrupt=1", "delay=0.05"]
        try await UnreliableProxy.run(before: kind, faults, rules: Self.rules) { proxy, scenario, folder in
            let program = TransferProgram(scenario: scenario, folder: folder)
            let (path, copy) = (scenario.prefix + "checked/a", folder.appending(path: "copy"))
            // In one PUT: so the object has a checksum, with which the first download is found to be corrupted.
            let small = try folder.file("small", size: 5_000_000)
            try await program.run("upload", small.path(), path)
            #expect(try proxy.requests.filter { $0.method == "PUT" }.count >= 2, "the first was corrupted")
            try await program.run("download", path, copy.path())
            #expect(try await copy.hasContent(of: small))

            let large = try folder.file("large", size: 40_000_000)
            try await program.run("upload", large.path(), path)
            #expect(try proxy.sentParts.count > 8, "connections were cut")
            try await program.run("download", path, copy.path())
            #expect(try await copy.hasContent(of: large))
            #expect(try proxy.requests.filter { $0.range != "-" }.count >= 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: program.state.path()) == [])
        }
    }

    @Test(
        "a killed program continues without the parts and bytes that it had",
        arguments: StorageKind.atLeast(.seaweedfs).filter { $0 != .swift })
    func crash(kind: StorageKind) async throws {
        try await UnreliableProxy.run(before: kind, ["speed=20000000"], rules: Self.rules) { proxy, scenario, folder in
            let program = TransferProgram(scenario: scenario, folder: folder)
            let (path, copy) = (scenario.prefix + "parts/a", folder.appending(path: "copy"))
            let file = try folder.file("file", size: 100_000_000)
            try await program.kill(at: 80, "upload", file.path(), path)
            let stored = try recordedParts(program.state)
            #expect(!stored.isEmpty)
            let before = try proxy.sentParts.count
            #expect(try await program.run("resume").first == "upload \(path)")
            let sentAgain = Set(try proxy.sentParts.dropFirst(before))
            #expect(sentAgain.isDisjoint(with: stored), "\(sentAgain) \(stored)")

            try await program.kill(at: 30, "download", path, copy.path())
            #expect(!FileManager.default.fileExists(atPath: copy.path()))
            #expect(try await program.run("resume").first == "download \(path)")
            let range = try #require(try proxy.requests.last?.range.firstMatch(of: /bytes=(\d+)-/))
            #expect(try #require(Int(range.1)) >= 27_000_000)
            #expect(try await copy.hasContent(of: file))
        }
    }

    @Test("1 GiB in constant memory", .enabled(if: isLongRun), arguments: PresignClientTests.storages)
    func memory(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, rules: Self.rules) { scenario in
            try await withTemporaryDirectory { folder in
                let program = TransferProgram(scenario: scenario, folder: folder)
                let (path, copy) = (scenario.prefix + "checked/a", folder.appending(path: "copy"))
                let file = try folder.file("file", size: 1 << 30)
                let up = try await program.peakMemory("upload", file.path(), path)
                let down = try await program.peakMemory("download", path, copy.path())
                #expect(try await copy.hasContent(of: file))
                // On Linux, the parts in flight are in memory: at most 128 MiB, and what malloc keeps of earlier ones.
                #expect(up < 384 << 20 && down < 100 << 20, "bytes: \(up) up, \(down) down")
                print("1 GiB on \(kind): \(up >> 20) MiB up, \(down >> 20) MiB down")
            }
        }
    }

    /// The numbers of the parts in the only record.
    private func recordedParts(_ state: URL) throws -> Set<Int> {
        struct Record: Decodable {
            struct Multipart: Decodable {
                struct Part: Decodable {}
                let parts: [Int: Part]
            }
            let multipart: Multipart
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: state.path())
        let name = try #require(names.first { $0.hasSuffix(".upload.json") })
        let record = try JSONDecoder().decode(Record.self, from: Data(contentsOf: state.appending(path: name)))
        return Set(record.multipart.parts.keys)
    }
}
