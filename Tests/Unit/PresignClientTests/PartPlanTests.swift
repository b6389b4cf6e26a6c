import Foundation
import Testing

@testable import PresignClient

@Suite("How a file is divided")
struct PartPlanTests {
    private static let mebibyte: Double = 1_048_576

    /// MiB of the file, the rule's limits, connections, and MiB of the parts; nil if the file is too large. The same
    /// cases as those of presign.js, which limits parts with a checksum: here they are not in memory.
    static let sizes: [(size: Double, limits: Permissions.Limits, connections: Int, part: Double?)] = [
        (20, .init(), 6, 5), (60, .init(), 6, 10), (60, .init(), 5, 12), (192, .init(), 6, 16), (960, .init(), 6, 16),
        (970, .init(), 6, 970 / 66), (100, .init(), 1, 100 / 7), (100, .init(), 50, 5), (6, .init(), 6, 6),
        (200_000, .init(), 6, 20), (5_242_880, .init(), 6, 524.288), (640_001, .init(), 6, 64.0001),
        (100, .init(partSize: 5 << 20), 6, 5), (50_001, .init(partSize: 5 << 20), 6, nil),
        (31, .init(maxSize: 30 << 20), 6, nil), (0, .init(), 6, 5),
    ]

    @Test("the size of the parts follows from the file, the rule and the connections", arguments: sizes)
    func partSize(size: Double, limits: Permissions.Limits, connections: Int, part: Double?) async {
        let bytes = Int64(size * Self.mebibyte)
        let expected = part.map { Int64(($0 * Self.mebibyte).rounded(.up)) }
        let found = try? PartPlan(size: bytes, limits: limits, connections: connections)
        #expect(found.map { abs($0.partSize - (expected ?? 0)) <= 1 } == expected.map { _ in true }, "\(found as Any)")
        if expected == nil {
            #expect(
                await code { try PartPlan(size: bytes, limits: limits, connections: connections) } == .constraint)
        }
    }

    @Test("parts cover the file without gaps, and no more than 10,000", arguments: [0, 1, 17_000_000, 170_000 << 20])
    func ranges(size: Int64) throws {
        let plan = try PartPlan(size: size, limits: .init(), connections: 6)
        #expect(plan.count <= 10_000)
        var end: Int64 = 0
        for number in 1...plan.count {
            #expect(plan.range(number).lowerBound == end)
            end = plan.range(number).upperBound
        }
        #expect(end == size)
    }

    @Test("copies of parts have at most 256 MiB, and half of that on Linux")
    func workers() {
        #if canImport(FoundationNetworking)
            let share: Int64 = 2
        #else
            let share: Int64 = 1
        #endif
        #expect(PartPlan(size: 1 << 40, partSize: 5 << 20).workers(connections: 6) == 12)
        #expect(PartPlan(size: 1 << 40, partSize: (64 << 20) / share).workers(connections: 6) == 4)
        #expect(PartPlan(size: 1 << 40, partSize: 5 << 30).workers(connections: 6) == 1)
    }

    /// What the rule allows, the size in MiB, and whether the file is sent in parts.
    static let plans: [(permissions: Permissions, size: Int64, isMultipart: Bool)] = [
        (.init(write: .init(), multipart: .init()), 16, false),
        (.init(write: .init(), multipart: .init()), 17, true),
        (.init(write: .init(), multipart: .init(partSize: 5 << 20)), 6, true),
        (.init(write: .init(maxSize: 10 << 20), multipart: .init()), 11, true),
        (.init(multipart: .init()), 1, true),
        (.init(write: .init()), 100, false),
        (.init(), 1, false),
    ]

    @Test("one PUT or parts", arguments: plans)
    func plan(permissions: Permissions, size: Int64, isMultipart: Bool) throws {
        let plan = try UploadPlan(size: size << 20, permissions: permissions)
        #expect((plan != .single) == isMultipart)
    }

    @Test("a file above 5 GiB needs the action multipart")
    func tooLarge() async {
        #expect(await code { try UploadPlan(size: 5 << 30 + 1, permissions: .init(write: .init())) } == .constraint)
    }
}
