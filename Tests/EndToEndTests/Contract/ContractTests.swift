import Testing

/// The same cases on every server. Where servers differ, what S3 documents decides: the others' deviations are listed,
/// with the reason, and one that is gone fails the test as well. The local storage has none.
@Suite("What S3 documents, on every server", .realParts)
struct StorageContractTests {
    @Test("The storage answers as documented", arguments: StorageKind.present, StorageCase.all)
    func answers(kind: StorageKind, test: StorageCase) async throws {
        try await check(kind, test)
    }

    @Test("CORS rules are kept as documented", arguments: StorageKind.withCORS, StorageCase.crossOrigin)
    func crossOrigin(kind: StorageKind, test: StorageCase) async throws {
        try await check(kind, test)
    }

    private func check(_ kind: StorageKind, _ test: StorageCase) async throws {
        let bucket = ContractBucket(storage: try kind.server)
        let found = try await Turnstile.tests.pass { try await bucket.differences(in: test) }
        let known = Deviation.table[kind, default: []].first { $0.name == test.name }
        #expect(found == known?.differences ?? [], "\(known.map { "known: \($0.reason)" } ?? "no known deviation")")
    }

    @Test("A case has a name of its own, and a deviation belongs to a case, is one, and says why")
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
    /// Every case that asks nothing of the server's configuration.
    static let all =
        objects + kept + ranges + conditions + writeConditions + signatures + constraints + keys + multipart
        + multipartRefusals
}
