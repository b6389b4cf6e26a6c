import TestSupport
import Testing

/// Runs the same cases on every server. S3's documentation decides where servers differ. The others' deviations are
/// listed with the reason; a listed deviation that no longer occurs also fails the test. The local storage has none.
@Suite("S3's documented behaviour on every server", .realParts)
struct StorageContractTests {
    @Test("The storage behaves as documented", arguments: StorageKind.present, StorageCase.all)
    func contract(kind: StorageKind, test: StorageCase) async throws {
        try await check(kind, test)
    }

    @Test("CORS rules work as documented", arguments: StorageKind.withCORS, StorageCase.crossOrigin)
    func crossOrigin(kind: StorageKind, test: StorageCase) async throws {
        try await check(kind, test)
    }

    private func check(_ kind: StorageKind, _ test: StorageCase) async throws {
        let bucket = ContractBucket(storage: try kind.server)
        let found = try await ConcurrencyLimit.tests.pass { try await bucket.differences(in: test) }
        let known = Deviation.table[kind, default: []].first { $0.name == test.name }
        #expect(found == known?.differences ?? [], "\(known.map { "known: \($0.reason)" } ?? "no known deviation")")
    }

    @Test("Cases have unique names, and each deviation refers to a case, differs, and has a reason")
    func names() {
        let names = (StorageCase.all + StorageCase.crossOrigin).map(\.name)
        #expect(Set(names).count == names.count)
        for deviation in Deviation.table.values.joined() {
            #expect(names.contains(deviation.name), "\(deviation.name)")
            #expect(!deviation.differences.isEmpty && !deviation.reason.isEmpty)
        }
    }

    @Test("The local storage has no deviation")
    func local() {
        #expect(Deviation.table[.local] == nil)
    }
}

extension StorageCase {
    /// Every case that needs no server configuration.
    static let all =
        objects + kept + settings + ranges + conditions + writeConditions + signatures + constraints + keys + multipart
        + multipartRefusals + listings
}
