import HTTPClient
import PresignService
import Presigning
import Testing

@testable import PresignTools

@Suite("A run of doctor")
struct DoctorRunTests {
    private static let rules = """
          - path: uploads/**
            allow: {everyone: [read, write, delete, multipart]}
            write: {types: [image/*], maxSize: 100m, checksum: sha256, overwrite: false}
            multipart: {partSize: 64m}
        """

    /// Checks that write, on which the rule relies.
    private static let uploads: [Guarantee] = [
        .put, .multipart, .contentType, .size, .checksum, .createOnly, .partSize, .partChecksum, .completeCreateOnly,
        .acl, .tagging,
    ]

    private struct Outcome {
        var findings: [Finding] = []
        var removed: [String] = []
        var notRemoved: [String] = []
        var unknown: [String] = []
        var declarations: [String] = []
        var stop: DoctorStop?

        /// The checks that were not possible although a rule relies on them.
        var unchecked: Set<Guarantee> { Set(findings.filter(\.leavesRuleUnchecked).map(\.guarantee)) }

        func result(_ guarantee: Guarantee) -> Verdict.Result? {
            findings.first { $0.guarantee == guarantee }?.verdict.result
        }
    }

    private static func run(
        on store: LaxStore, writes: Bool = true, isInterrupted: @escaping () -> Bool = { false }
    ) throws -> Outcome {
        let addresses = #", publicEndpoint: "http://files.example:9", signedEndpoint: "http://storage:9""#
        let configuration = try DoctorFixture.configuration(
            rules, store: addresses, sections: #"cors: {origins: ["https://a.example"]}"#)
        let session = try DoctorFixture.session(configuration, writes: writes, isInterrupted: isInterrupted) {
            request throws(FetchFailure) in try store.respond(request)
        }
        var doctor = Doctor(configuration, session)
        var outcome = Outcome()
        do throws(DoctorStop) {
            outcome.declarations = try doctor.run { event in
                switch event {
                case .found(let finding): outcome.findings.append(finding)
                case .removed(_, let keys): outcome.removed += keys
                case .notRemoved(let keys): outcome.notRemoved = keys
                case .unknown(let leftovers, let reason): outcome.unknown.append("\(leftovers): \(reason)")
                case .checking: break
                }
            }
        } catch { outcome.stop = error }
        return outcome
    }

    @Test("A storage that verifies nothing fails every check of signatures and signed headers")
    func lax() throws {
        let store = LaxStore()
        let outcome = try Self.run(on: store)
        let working: [Guarantee] = [
            .delete, .put, .get, .head, .listing, .publicEndpoint, .form, .multipart, .missingObject,
        ]
        for guarantee in working {
            #expect(outcome.result(guarantee) == .enforced, "\(guarantee)")
        }
        let broken: [Guarantee] = [
            .signature, .method, .key, .query, .expiry, .signedEndpoint, .contentType, .size, .checksum,
            .checksumInQuery, .createOnly,
            .formSize, .formField,
            .partSize, .partChecksum, .completeCreateOnly, .totalSize, .uploadID, .preflight, .exposedETag, .otherKeys,
        ]
        for guarantee in broken { #expect(outcome.result(guarantee) == .notEnforced, "\(guarantee)") }
        #expect(outcome.declarations.isEmpty && outcome.notRemoved.isEmpty && outcome.stop == nil)
        #expect(Set(outcome.findings.map(\.guarantee.name)) == DoctorFixture.checks)
        #expect(store.objects.isEmpty && store.uploads.isEmpty && outcome.unchecked.isEmpty)
        #expect(store.requests.count < DoctorSession.maximumRequests)
    }

    @Test("Without writing it sends no request that could change anything")
    func readOnly() throws {
        let store = LaxStore()
        let outcome = try Self.run(on: store, writes: false)
        #expect(store.requests.allSatisfy { ["GET", "HEAD", "OPTIONS"].contains($0.split(separator: " ")[0]) })
        #expect(outcome.result(.put) == .notPossible && outcome.result(.signature) == .notEnforced)
        #expect(outcome.unchecked.isSuperset(of: Self.uploads + [.delete]))
        #expect(Set(outcome.findings.map(\.guarantee.name)) == DoctorFixture.checks)
    }

    @Test("If it may not delete, it writes nothing")
    func mayNotDelete() throws {
        let store = LaxStore()
        store.override = { method, _ in method == "DELETE" ? 403 : nil }
        let outcome = try Self.run(on: store)
        #expect(outcome.result(.delete) == .notEnforced && outcome.result(.put) == .notPossible)
        #expect(outcome.unchecked.isSuperset(of: Self.uploads))
        #expect(store.objects.isEmpty && !store.requests.contains { $0.hasPrefix("PUT") || $0.hasPrefix("POST") })
    }

    @Test("An interruption at any request leaves nothing")
    func interruption() throws {
        let whole = LaxStore()
        _ = try Self.run(on: whole)
        for last in 1...whole.requests.count {
            let store = LaxStore()
            var isInterrupted = false
            store.onRequest = { if $0 == last { isInterrupted = true } }
            _ = try Self.run(on: store, isInterrupted: { isInterrupted })
            #expect(store.objects.isEmpty && store.uploads.isEmpty, "after request \(last): \(store.objects.keys)")
        }
    }

    @Test("What cannot be removed is named")
    func notRemoved() throws {
        let store = LaxStore()
        store.override = { method, key in method == "DELETE" && key.hasSuffix("/object") ? 503 : nil }
        let outcome = try Self.run(on: store)
        #expect(outcome.notRemoved.count == 1 && outcome.notRemoved[0].hasSuffix("/object: DELETE responded 503"))
        #expect(store.objects.count == 1)
    }

    @Test("A storage that hangs after its first response leaves everything unchecked that rules rely on")
    func hanging() throws {
        let configuration = try DoctorFixture.configuration(Self.rules)
        var hasResponded = false
        let session = try DoctorFixture.session(configuration) { request throws(FetchFailure) in
            guard request.method == .head, !hasResponded else { throw .timedOut }
            hasResponded = true
            return FetchResponse(status: 404, headers: [:], body: [])
        }
        var doctor = Doctor(configuration, session)
        var findings: [Finding] = []
        _ = try doctor.run { if case .found(let finding) = $0 { findings.append(finding) } }
        #expect(findings.filter(\.breaksRule).isEmpty)
        let unchecked = Set(findings.filter(\.leavesRuleUnchecked).map(\.guarantee))
        #expect(unchecked.isSuperset(of: Self.uploads + [.delete, .get, .signature, .expiry]))
    }

    @Test("A storage that does not respond ends the run")
    func unreachable() throws {
        let configuration = try DoctorFixture.configuration(Self.rules)
        let session = try DoctorFixture.session(configuration, writes: false) { _ throws(FetchFailure) in
            throw .unknownHost
        }
        var doctor = Doctor(configuration, session)
        #expect(throws: DoctorStop.unreachable(.unknownHost)) { try doctor.run { _ in } }
    }

    @Test("Without the right to list, it says that it cannot look for earlier runs")
    func unknownLeftovers() throws {
        let store = LaxStore()
        store.override = { method, key in method == "GET" && key.isEmpty ? 403 : nil }
        let outcome = try Self.run(on: store)
        #expect(outcome.unknown == Doctor.Leftovers.allCases.map { "\($0): the listing responded 403" })
        #expect(outcome.result(.put) == .enforced && outcome.result(.listing) == .notEnforced)
    }

    @Test("Of earlier runs it removes exact names with a proving content, and their uploads")
    func leftovers() throws {
        let store = LaxStore()
        let earlier = DoctorMark(at: DoctorFixture.time)
        let other = DoctorMark(at: DoctorFixture.time)
        let prefix = Array("presign-doctor/".utf8)
        func key(_ mark: DoctorMark, _ slot: DoctorMark.Slot) -> String {
            String(decoding: mark.key(of: slot, below: prefix), as: UTF8.self)
        }
        store.insert(key(earlier, .object), earlier.bytes(.first))
        store.insert(key(earlier, .target), earlier.bytes(.second) + DoctorMark.surplus)
        store.insert(upload: "left", at: key(earlier, .multipart))
        let foreign: [(String, [UInt8])] = [
            (key(earlier, .other), other.bytes(.first)), (key(other, .object), Array("a user's".utf8)),
            ("presign-doctor/readme", earlier.bytes(.first)), ("\(key(earlier, .object)).txt", earlier.bytes(.first)),
            ("data/\(key(earlier, .object))", earlier.bytes(.first)),
        ]
        for (key, content) in foreign { store.insert(key, content) }
        store.insert(upload: "foreign", at: "presign-doctor/readme")
        let outcome = try Self.run(on: store)
        #expect(
            outcome.removed.sorted()
                == [key(earlier, .object), key(earlier, .target), key(earlier, .multipart)].sorted())
        #expect(Set(store.objects.keys) == Set(foreign.map(\.0)) && Set(store.uploads.keys) == ["foreign"])
    }
}
