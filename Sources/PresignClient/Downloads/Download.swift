import Foundation

/// The download of an object to a file: first to a temporary one, which is moved when it is complete and verified.
final class Download: ResumableTransfer {
    /// How often a download with a wrong checksum starts again.
    private static let maxMismatches = 2

    let path: String
    private let context: TransferContext
    private let record: Locked<DownloadRecord>
    /// Whether a later start of the app can continue it.
    private let isKept: Bool
    private let claim = Locked<Claim?>(nil)

    /// - Parameter record: A new one, or that of an earlier start of the app.
    init(_ record: DownloadRecord, isKept: Bool, _ context: TransferContext) {
        path = record.path
        self.record = Locked(record)
        self.isKept = isKept
        self.context = context
    }

    private var current: DownloadRecord { record.with { $0 } }

    func run(_ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws {
        try open()
        let file = try PartialFile(
            context.store.download(current.id), of: current.object, onObject: { try self.save($0) }, onLoaded: report)
        report(file.received.loaded, current.object?.total)
        for mismatches in 0... {
            try await receive(to: file)
            if try await offloaded({ try file.hasChecksum() }) { break }
            guard mismatches < Self.maxMismatches else {
                throw StorageFailure(
                    source: .storage, code: .checksumMismatch,
                    detail: "the downloaded bytes do not have the object's checksum",
                    recoverySuggestion: "Check the network between the app and the storage.")
            }
            file.restart()
        }
        try move()
        discard()
    }

    func release() {
        claim.with { $0 = nil }
    }

    func discard() {
        context.store.remove(current)
        release()
    }

    private func open() throws {
        let names: Set = [current.id, current.file.url().path]
        let isHeld = claim.with { claim in
            claim = claim ?? Claim(names)
            return claim != nil
        }
        guard isHeld else { throw StorageFailure.active(path) }
        try context.store.prepare()
        if isKept { try context.store.save(current) }
    }

    /// Records the object before its first byte is written, because a later start must know what the file has.
    private func save(_ object: DownloadedObject) throws {
        record.with { $0.object = object }
        if isKept { try context.store.save(current) }
    }

    /// Requests the object, and after failures its rest, until it is complete.
    private func receive(to file: PartialFile) async throws {
        let requests = context.storage.requests
        var schedule = RetrySchedule(retries: requests.retries)
        var most = file.received.loaded
        while !file.received.isComplete {
            let signed = try await sign()
            do {
                return try await attempt(file, signed)
            } catch is PartialFile.Refused {
                continue
            } catch let failure as StorageFailure {
                // Nothing follows the bytes that are here: the object is shorter now.
                if failure.status == 416, file.received.loaded > 0 {
                    file.restart()
                    continue
                }
                // New bytes grant new attempts. Those of a download that starts anew do not, or it might never end.
                let hasGrown = file.received.loaded > most
                if hasGrown { (most, schedule) = (file.received.loaded, RetrySchedule(retries: requests.retries)) }
                try await requests.pause(after: failure, &schedule, isReached: hasGrown || most > 0, .limited)
            }
        }
    }

    private func sign() async throws -> SignedRequest {
        var request = SignRequest(method: "GET", path: path)
        request.checksumMode = "ENABLED"
        request.useAccelerateEndpoint = current.options.useAccelerateEndpoint
        return try await context.service.sign(request, waiting: .limited)
    }

    private func attempt(_ file: PartialFile, _ signed: SignedRequest) async throws {
        // Encoded for the transfer only, a rest could not be decoded.
        let headers = signed.headers.merging(file.received.headers) { signed, _ in signed }
            .merging(["Accept-Encoding": "identity"]) { signed, _ in signed }
        let requests = context.storage.requests
        let request = HTTPRequest(method: signed.method, url: signed.url, headers: headers, timeout: requests.timeout)
        let response = try await requests.send(request, server: "storage", to: file)
        guard response.head.isSuccess else { throw StorageFailure.storage(response) }
        requests.reached.add(signed.url.origin)
        let received = file.received
        if let total = received.object?.total, received.loaded != total {
            throw StorageFailure.network("storage", signed.url, URLError(.networkConnectionLost))
        }
    }

    private func move() throws {
        let (source, target) = (context.store.download(current.id), current.file.url())
        try StorageFailure.writing(target) {
            if FileManager.default.fileExists(atPath: target.path) { try FileManager.default.removeItem(at: target) }
            try FileManager.default.moveItem(at: source, to: target)
        }
    }
}

/// The download of an object into memory, through a temporary file: so it continues like one to a file.
final class DataDownload: ResumableTransfer {
    private let download: Download
    private let file: URL
    private let store: TransferStore
    /// Keeps the complete file from being taken for a leftover.
    private let claim: Claim?

    var path: String { download.path }

    /// - Parameter id: An id for the temporary files.
    init(_ path: String, id: String, _ options: StorageDownloadOptions, _ context: TransferContext) {
        store = context.store
        let name = "\(id)-data"
        claim = Claim([name])
        file = store.download(name)
        let record = DownloadRecord(
            id: id, target: context.service.id, path: path, file: RecordedFile(file), options: options,
            createdAt: Date())
        download = Download(record, isKept: false, context)
    }

    func run(_ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws -> Data {
        try await download.run(report)
        defer { store.remove(file) }
        return try StorageFailure.reading(file) { try Data(contentsOf: file) }
    }

    func release() { download.release() }

    func discard() {
        download.discard()
        store.remove(file)
    }
}
