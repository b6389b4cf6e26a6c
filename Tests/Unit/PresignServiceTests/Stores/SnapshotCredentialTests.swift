import ObjectExistence
import Telemetry
import Testing

@testable import CallerAuthentication
@testable import PresignService
@testable import Presigning
@testable import StorageCredentials
@testable import System

@Suite("Credentials of a snapshot")
struct SnapshotCredentialTests {
    /// A pool without a real source: the tests put credentials into the slot.
    private static let environment = ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1/"]
    private static let now = SigningTime(secondsSince1970: 1_800_000_000)

    private let supply = CredentialPool { Self.environment[$0] }

    private func snapshot(minRemaining: String = "10m") throws -> ServiceSnapshot {
        let yaml = "version: 1\naws: {minRemaining: \(minRemaining)}\nstores: {a: {bucket: acme, region: eu-west-1}}\n"
        let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
        return try ServiceSnapshot(
            configuration, credentials: supply, issuerKeys: IssuerKeyPool { .now() }, read: { _ in [] })
    }

    private func service(_ snapshot: ServiceSnapshot) -> Service {
        Service(
            snapshot, existence: ExistenceCheck { _, _, completion in completion(.timedOut) }, requestLog: nil,
            requestIDStart: "t")
    }

    /// Puts new credentials with this access key id into the slot.
    private func arrive(_ id: String, life: Int? = nil) throws {
        _ = try supply.slot(for: .chain).replace(
            with: try Credentials(
                accessKeyID: id, secretAccessKey: "s", sessionToken: "t",
                expiration: life.map { Self.now.advanced(bySeconds: $0) }))
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
        #expect(service.currentSnapshot().0 === begun && service.isCurrent(version))
        try arrive("AKIDNEW")
        #expect(service.currentSnapshot().0 === begun)
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
            !waiting.isUsable(at: Self.now) && refusal.status == 503 && refusal.retryAfter == 5
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
        let uptime = Duration.nanoseconds(MonotonicTime.now().nanoseconds)
        try supply.slot(for: .chain).update { $0.nextAttempt = uptime + .seconds(30) }
        let later = try store(service).credentials.read.unavailable.retryAfter
        #expect(25...30 ~= later ?? 0)
        try supply.slot(for: .chain).update { $0.nextAttempt = uptime - .seconds(30) }
        #expect(try store(service).credentials.read.unavailable.retryAfter == 1)
    }

    @Test("Selections that no store uses are dropped, the others keep their credentials")
    func selections() throws {
        try arrive("AKID")
        let slot = try supply.slot(for: .chain)
        _ = try supply.slot(for: .container)
        supply.keep(only: [.chain])
        #expect(supply.entries.map(\.selection) == [.chain])
        #expect(try supply.slot(for: .chain) === slot && slot.credentials?.accessKeyID == "AKID")
        #expect(throws: CredentialFailure.self) { _ = try supply.slot(for: .environment) }
    }

    @Test("With two sources, a failing one leaves the service ready and only its own operations fail")
    func roles() throws {
        let environment = Self.environment.merging([
            "AWS_ACCESS_KEY_ID": "AKIDREAD", "AWS_SECRET_ACCESS_KEY": "s",
        ]) { $1 }
        let supply = CredentialPool { environment[$0] }
        func snapshot(_ credentials: String) throws -> ServiceSnapshot {
            let yaml =
                "version: 1\naws: {minRemaining: 0s, credentials: environment}\n"
                + "stores: {a: {bucket: acme, region: eu-west-1, credentials: \(credentials)}}\n"
            let configuration = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c.yaml")
            return try ServiceSnapshot(
                configuration, credentials: supply, issuerKeys: IssuerKeyPool { .now() }, read: { _ in [] })
        }
        let service = service(try snapshot("{write: container}"))
        let waiting = try store(service).credentials
        #expect(waiting.read.areUsable(at: Self.now) && !waiting.write.areUsable(at: Self.now))
        #expect(waiting.write.unavailable.status == 503 && service.isReady(service.currentSnapshot().0, at: Self.now))
        let statuses = service.credentialStatuses.map { "\($0.store) \($0.role)" }
        #expect(statuses == ["a read", "a write"])
        _ = try supply.slot(for: .container).replace(
            with: try Credentials(accessKeyID: "AKIDWRITE", secretAccessKey: "s", sessionToken: nil, expiration: nil))
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
