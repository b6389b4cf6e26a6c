import ObjectExistence
import Refreshing
import Synchronization
import Telemetry
import Testing

@testable import CallerAuthentication
@testable import PresignService
@testable import Presigning
@testable import StorageCredentials
@testable import System

/// A source that has the credentials which a test gives it.
private final class GivenCredentials: CredentialSource, CredentialFetcher {
    let credentials = Mutex<Credentials?>(nil)

    func resolve() throws(CredentialFailure) -> CredentialResolution? { .fetched(self) }

    func fetch() throws(CredentialFailure) -> Credentials {
        guard let credentials = credentials.withLock({ $0 }) else {
            throw CredentialFailure(source: "test", reason: "none yet")
        }
        return credentials
    }
}

@Suite("Credentials of a snapshot")
struct SnapshotCredentialTests {
    private static let now = SigningTime(secondsSince1970: 1_800_000_000)

    private let given = GivenCredentials()
    private let supply: CredentialPool

    init() {
        supply = CredentialPool(
            clock: { ClockReading(wall: Self.now, uptime: .seconds(1000)) },
            sources: { [given] selection in
                selection == .environment ? selection.source { _ in nil } : given
            })
    }

    private func snapshot(minRemaining: String = "10m") throws -> ServiceSnapshot {
        let yaml = "version: 1\naws: {minRemaining: \(minRemaining)}\nstores: {a: {bucket: acme, region: eu-west-1}}\n"
        let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
        return try ServiceSnapshot(
            configuration, credentials: supply, issuerKeys: IssuerKeyPool(), read: { _ in [] })
    }

    private func service(_ snapshot: ServiceSnapshot) -> Service {
        Service(
            snapshot, existence: ExistenceCheck { _, _, completion in completion(.timedOut) }, requestLog: nil,
            requestIDStart: "t")
    }

    /// Puts new credentials with this access key id into the slot.
    private func arrive(_ id: String, life: Int? = nil) throws {
        let credentials = try Credentials(
            accessKeyID: id, secretAccessKey: "s", sessionToken: "t",
            expiration: life.map { Self.now.advanced(bySeconds: $0) })
        given.credentials.withLock { $0 = credentials }
        let slot = try supply.value(of: .chain)
        slot.refreshNow()
        #expect(slot.step().hasChanged)
    }

    private func store(_ service: Service) throws -> Store {
        try #require(service.currentSnapshot().0.stores.store(nil))
    }

    @Test("A reload uses credentials that arrived while the configuration was read")
    func reload() throws {
        try arrive("AKIDOLD")
        let service = service(try snapshot())
        let reloaded = try snapshot()
        try arrive("AKIDNEW")
        service.renewSnapshot()
        #expect(try store(service).credentials.read.credentials?.accessKeyID == "AKIDNEW")
        service.replaceSnapshot(by: reloaded)
        #expect(try store(service).credentials.read.credentials?.accessKeyID == "AKIDNEW")
    }

    @Test("A request in progress keeps its snapshot; a new one is created only for new credentials")
    func immutable() throws {
        try arrive("AKIDOLD")
        let service = service(try snapshot())
        let (begun, version) = service.currentSnapshot()
        service.renewSnapshot()
        #expect(service.isCurrent(version))
        try arrive("AKIDNEW")
        #expect(service.isCurrent(version))
        service.renewSnapshot()
        #expect(
            !service.isCurrent(version)
                && begun.stores.store(nil)?.credentials.read.credentials?.accessKeyID == "AKIDOLD")
    }

    @Test("Nothing is signed before credentials arrive, nor with less than minRemaining left")
    func ends() throws {
        let service = service(try snapshot())
        let waiting = try store(service)
        let refusal = waiting.credentials.read.unavailable
        #expect(
            !waiting.isUsable(at: Self.now) && refusal.status == 503 && refusal.retryAfter == 1
                && !service.isReady(service.currentSnapshot().0, at: Self.now))
        try arrive("AKID", life: 1000)
        service.renewSnapshot()
        let limited = try store(service)
        #expect(
            limited.isUsable(at: Self.now.advanced(bySeconds: 399))
                && limited.credentials.read.credentials?.accessKeyID == "AKID")
        let late = Self.now.advanced(bySeconds: 400)
        #expect(!limited.isUsable(at: late) && !service.isReady(service.currentSnapshot().0, at: late))
        // With a lower minRemaining the same credentials are usable.
        service.replaceSnapshot(by: try snapshot(minRemaining: "0s"))
        #expect(service.isReady(service.currentSnapshot().0, at: Self.now.advanced(bySeconds: 999)))
        #expect(!service.isReady(service.currentSnapshot().0, at: Self.now.advanced(bySeconds: 1000)))
    }

    @Test("A 503 states when the next attempt is due")
    func retryAfter() throws {
        let service = service(try snapshot())
        let slot = try supply.value(of: .chain)
        for _ in 0..<5 {
            slot.refreshNow()
            _ = slot.step(chance: { 0 })
        }
        #expect(try store(service).credentials.read.unavailable.retryAfter == 17)
        slot.refreshNow()
        #expect(try store(service).credentials.read.unavailable.retryAfter == 1)
    }

    @Test("Selections that no store uses are dropped, the others keep their credentials")
    func selections() throws {
        try arrive("AKID")
        let slot = try supply.value(of: .chain)
        _ = try supply.value(of: .container)
        supply.keep(only: [.chain])
        #expect(supply.all.map(\.source.id) == [.chain])
        #expect(try supply.value(of: .chain) === slot && slot.value?.accessKeyID == "AKID")
        #expect(throws: CredentialFailure.self) { _ = try supply.value(of: .environment) }
    }

    @Test("With two sources, a failing one leaves the service ready and only its own operations fail")
    func roles() throws {
        let environment = ["AWS_ACCESS_KEY_ID": "AKIDREAD", "AWS_SECRET_ACCESS_KEY": "s"]
        let supply = CredentialPool(sources: { [given] selection in
            selection == .container ? given : selection.source { environment[$0] }
        })
        func snapshot(_ credentials: String) throws -> ServiceSnapshot {
            let yaml =
                "version: 1\naws: {minRemaining: 0s, credentials: environment}\n"
                + "stores: {a: {bucket: acme, region: eu-west-1, credentials: \(credentials)}}\n"
            let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
            return try ServiceSnapshot(
                configuration, credentials: supply, issuerKeys: IssuerKeyPool(), read: { _ in [] })
        }
        let service = service(try snapshot("{write: container}"))
        let waiting = try store(service).credentials
        #expect(waiting.read.areUsable(at: Self.now) && !waiting.write.areUsable(at: Self.now))
        #expect(waiting.write.unavailable.status == 503 && service.isReady(service.currentSnapshot().0, at: Self.now))
        let statuses = service.credentials.map { "\($0.store) \($0.role)" }
        #expect(statuses == ["a read", "a write"])
        let written = try Credentials(accessKeyID: "AKIDWRITE", secretAccessKey: "s")
        given.credentials.withLock { $0 = written }
        _ = try supply.value(of: .container).step()
        service.renewSnapshot()
        let both = try store(service).credentials
        #expect(both.read.credentials?.accessKeyID == "AKIDREAD" && both.write.credentials?.accessKeyID == "AKIDWRITE")
        // A reload that swaps the roles finds the credentials of each source.
        service.replaceSnapshot(by: try snapshot("{read: container, write: environment}"))
        let swapped = try store(service).credentials
        #expect(swapped.read.credentials?.accessKeyID == "AKIDWRITE" && swapped.write.areUsable(at: Self.now))
        service.replaceSnapshot(by: try snapshot("container"))
        let single = try store(service).credentials
        #expect(single.read.slot === single.write.slot)
    }

    @Test(
        "Downloads and listings are signed with the read credentials, all other operations with the write credentials")
    func operations() {
        #expect(AWSS3SigningOperation.getObject.traits.role == .read)
        #expect(AWSS3SigningOperation.headObject.traits.role == .read)
        #expect(AWSS3SigningOperation.listObjectsV2(prefix: "").traits.role == .read)
        for operation: AWSS3SigningOperation in [
            .putObject, .deleteObject, .createMultipartUpload, .uploadPart(partNumber: 1, uploadId: "u"),
            .listParts(uploadId: "u"), .completeMultipartUpload(uploadId: "u"), .abortMultipartUpload(uploadId: "u"),
        ] {
            #expect(operation.traits.role == .write)
        }
    }
}
