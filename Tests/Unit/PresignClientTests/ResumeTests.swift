import Foundation
import Testing

@testable import PresignClient

@Suite("Transfers that an earlier start of the app has left unfinished")
struct ResumeTests {
    /// Uploads a file until two of three parts are stored, and then stops like a crash: the record stays.
    private func crash(_ world: World, _ file: URL, _ state: URL) async throws {
        world.hooks.with { hooks in
            hooks.beforeStorage = { sent in
                guard sent.query["partNumber"] == "2" else { return nil }
                try await Task.sleep(for: .seconds(60))
                return nil
            }
        }
        let task = try world.client(in: state).uploadFile(
            path: .fromString("a"), local: file, options: .init(contentType: "image/png"))
        try await until {
            let record = records(state).first
            return record?.multipart?.parts.count == 2
        }
        // A paused transfer of a process that has ended.
        let names = state.names.filter { $0.hasSuffix(".json") }
        let saved = try names.map { ($0, try Data(contentsOf: state.appending(path: $0))) }
        task.cancel()
        try await until { state.isReleased(by: names) && world.state.with { $0.uploads.isEmpty } }
        // The cancellation has removed what the crash would have left.
        for (name, data) in saved { try data.write(to: state.appending(path: name)) }
        world.state.with { $0.uploads["upload-0"] = Self.parts }
        world.hooks.with { $0.beforeStorage = { _ in nil } }
        try Data("rest".utf8).write(to: state.appending(path: "\(names[0].prefix { $0 != "." }).part-2"))
    }

    private static let size = 800_000
    private static var parts: [Int: Data] {
        let plan = PartPlan(size: Int64(size), partSize: 300_000)
        return [1, 3].reduce(into: [:]) { parts, number in
            let range = plan.range(number)
            parts[number] = content(size)[Int(range.lowerBound)..<Int(range.upperBound)]
        }
    }

    private func records(_ state: URL) -> [UploadRecord] {
        let target = (try? World.endpoint).map { "\($0.absoluteString) " } ?? ""
        return TransferStore(folder: state).records(UploadRecord.self, of: target)
    }

    @Test("an upload continues without sending finished parts again")
    func continues() async throws {
        try await withWorld { world, folder in
            let (file, state) = (try folder.file("a", size: Self.size), folder.appending(path: "state"))
            try await crash(world, file, state)
            let before = world.sent.count
            let transfers = try await world.client(in: state).resumeTransfers()
            guard transfers.count == 1, case .upload("a", let local, let task) = transfers[0] else {
                Issue.record("\(transfers)")
                return
            }
            #expect(local.path == file.path)
            #expect(try await task.value == "a")
            #expect(world.sent[before...].filter(\.isPart).map { $0.query["partNumber"] } == ["2"])
            #expect(world.objects["a"] == content(Self.size))
            #expect(state.names.isEmpty)
            #expect(try await world.client(in: state).resumeTransfers().isEmpty)
        }
    }

    @Test("a changed file starts over with the same options, and the old parts are removed")
    func changed() async throws {
        try await withWorld { world, folder in
            let (file, state) = (try folder.file("a", size: Self.size), folder.appending(path: "state"))
            try await crash(world, file, state)
            try Data("short".utf8).write(to: file)
            let transfers = try await world.client(in: state).resumeTransfers()
            guard transfers.count == 1, case .upload(_, _, let task) = transfers[0] else {
                Issue.record("\(transfers)")
                return
            }
            _ = try await task.value
            #expect(world.objects["a"] == Data("short".utf8))
            #expect(world.state.with { $0.uploads }.isEmpty)
            #expect(world.state.with { $0.signed.last?.contentType } == "image/png")
            #expect(state.names.isEmpty)
        }
    }

    @Test(
        "an upload whose file is missing, or that is older than a week, is removed from the storage",
        arguments: [true, false])
    func unwanted(isMissing: Bool) async throws {
        try await withWorld { world, folder in
            let (file, state) = (try folder.file("a", size: Self.size), folder.appending(path: "state"))
            try await crash(world, file, state)
            if isMissing {
                try FileManager.default.removeItem(at: file)
            } else {
                let record = try #require(records(state).first)
                var old = UploadRecord(
                    id: record.id, target: record.target, path: record.path, source: record.source,
                    options: record.options, createdAt: Date(timeIntervalSinceNow: -8 * 24 * 3600))
                old.multipart = record.multipart
                try TransferStore(folder: state).save(old)
            }
            #expect(try await world.client(in: state).resumeTransfers().isEmpty)
            #expect(world.state.with { $0.uploads }.isEmpty)
            #expect(state.names.isEmpty)
        }
    }

    @Test("parts that could not be removed are removed later")
    func abandoned() async throws {
        try await withWorld { world, folder in
            let (file, state) = (try folder.file("a", size: Self.size), folder.appending(path: "state"))
            try await crash(world, file, state)
            world.hooks.with { hooks in
                hooks.beforeStorage = { sent in sent.method == "DELETE" ? .storage("", status: 503) : nil }
            }
            try FileManager.default.removeItem(at: file)
            #expect(try await world.client(in: state).resumeTransfers().isEmpty)
            #expect(records(state).map(\.isAbandoned) == [true])
            world.hooks.with { $0.beforeStorage = { _ in nil } }
            #expect(try await world.client(in: state).resumeTransfers().isEmpty)
            #expect(world.state.with { $0.uploads }.isEmpty && state.names.isEmpty)
        }
    }

    @Test("a download continues where it was")
    func download() async throws {
        try await withWorld { world, folder in
            let object = content(1000)
            world.state.with { $0.objects["a"] = object }
            let (file, store) = (folder.appending(path: "copy"), TransferStore(folder: folder.appending(path: "state")))
            let client = try world.client(in: store.folder)
            let record = DownloadRecord(
                id: "d", target: client.context.service.id, path: "a", file: RecordedFile(file), options: .init(),
                createdAt: Date(), object: .init(etag: "\"one\"", total: 1000, checksum: nil))
            try store.save(record)
            try object.prefix(600).write(to: store.download("d"))
            let transfers = await client.resumeTransfers()
            guard transfers.count == 1, case .download("a", file, let task) = transfers[0] else {
                Issue.record("\(transfers)")
                return
            }
            try await task.value
            #expect(world.sent.map { $0.headers["range"] } == ["bytes=600-"])
            #expect(try Data(contentsOf: file) == object)
            #expect(store.folder.names.isEmpty)
        }
    }

    @Test("a path in the app's folder follows the folder")
    func recordedFile() throws {
        let old = RecordedFile(URL(filePath: "/containers/1/Documents/a b"), home: "/containers/1")
        let read = try JSONDecoder().decode(RecordedFile.self, from: JSONEncoder().encode(old))
        #expect(read.url(home: "/containers/2").path == "/containers/2/Documents/a b")
        #expect(
            RecordedFile(URL(filePath: "/elsewhere/a"), home: "/containers/1").url(home: "/x").path == "/elsewhere/a")
    }

    @Test("size, time and identity of a file tell whether it has changed")
    func fingerprint() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "presign-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try folder.file("a", size: 9)
        let first = try FileFingerprint(of: file)
        #expect(try FileFingerprint(of: file) == first)
        #expect(try JSONDecoder().decode(FileFingerprint.self, from: JSONEncoder().encode(first)) == first)
        let other = try folder.file("b", size: 9)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceReferenceDate: first.modified)], ofItemAtPath: other.path)
        #expect(try FileFingerprint(of: other) != first)
        try Data("123456789".utf8).write(to: file)
        #expect(try FileFingerprint(of: file) != first)
        #expect(throws: StorageFailure.self) { try FileFingerprint(of: folder) }
    }
}
