import HTTPClient
import PresignService
import Presigning
import Testing

@testable import PresignTools

@Suite("Doctor's checks of a proxy before the storage")
struct ProxyProbeTests {
    /// A proxy that removes `/storage` and rewrites the host, before a storage that verifies signatures.
    private final class Storage {
        var objects: [String: [UInt8]] = [:]
        /// What of a request the storage does not verify.
        var ignoresHost = false, ignoresPath = false
        private let credentials: Credentials

        init() throws { credentials = try DoctorFixture.credentials() }

        func respond(_ request: FetchRequest) -> FetchResponse {
            let isPublic = request.url.authority == "files.example"
            let target = isPublic ? request.url.target.replacing("/storage/", with: "/") : request.url.target
            let key = String(target.prefix { $0 != "?" })
            let hosts = ["storage:9000"] + (ignoresHost ? ["presign-doctor.invalid"] : [])
            let targets = [target] + (ignoresPath ? [target.replacing("/bucket/", with: "/presign-doctor/")] : [])
            let isValid = hosts.contains { host in
                targets.contains { target in
                    let received = PresignedURLVerifier.Request(
                        method: request.method.rawValue, host: isPublic ? host : request.url.authority,
                        target: Array(target.utf8))
                    let result = PresignedURLVerifier().verify(received, at: DoctorFixture.time) { _ in
                        credentials.secretAccessKey
                    }
                    return result == .valid
                }
            }
            guard isValid else { return FetchResponse(status: 403, body: []) }
            switch request.method {
            case .put: objects[key] = request.body
            case .delete: objects[key] = nil
            default:
                guard let body = objects[key] else { return FetchResponse(status: 404, body: []) }
                return FetchResponse(status: 200, body: body)
            }
            return FetchResponse(status: 200, body: [])
        }
    }

    private static let addresses = """
        , publicEndpoint: "http://files.example/storage", signedEndpoint: "http://storage:9000"
        """

    private static func results(
        on storage: Storage, store: String = addresses, writes: Bool = true
    ) throws -> [Guarantee: Verdict.Result] {
        let configuration = try DoctorFixture.configuration("  []", store: store)
        let session = try DoctorFixture.session(configuration, writes: writes) { request throws(FetchFailure) in
            storage.respond(request)
        }
        var doctor = Doctor(configuration, session)
        var results: [Guarantee: Verdict.Result] = [:]
        _ = try doctor.run { event in
            if case .found(let finding) = event { results[finding.guarantee] = finding.verdict.result }
        }
        return results
    }

    @Test("They pass with a storage that verifies what it sees, also without writing")
    func verifying() throws {
        let results = try Self.results(on: try Storage())
        #expect(results[.put] == .enforced && results[.get] == .enforced)
        #expect(results[.publicEndpoint] == .enforced && results[.signedEndpoint] == .enforced)
        let reading = try Self.results(on: try Storage(), writes: false)
        #expect(reading[.publicEndpoint] == .notPossible && reading[.signedEndpoint] == .enforced)
    }

    @Test("A storage that does not verify host or path is found")
    func ignoring() throws {
        let storage = try Storage()
        storage.ignoresHost = true
        #expect(try Self.results(on: storage)[.signedEndpoint] == .notEnforced)
        (storage.ignoresHost, storage.ignoresPath) = (false, true)
        #expect(try Self.results(on: storage)[.signedEndpoint] == .notEnforced)
    }

    @Test("A wrong address fails, and stores without such addresses have no such checks")
    func wrong() throws {
        let wrong = Self.addresses.replacing("storage:9000", with: "other:9000")
        let results = try Self.results(on: try Storage(), store: wrong)
        #expect(results[.put] == .notPossible || results[.put] == .notEnforced)
        #expect(results[.signedEndpoint] == .notPossible)
        let plain = try Self.results(on: try Storage(), store: "")
        #expect(plain[.publicEndpoint] == nil && plain[.signedEndpoint] == nil)
    }
}
