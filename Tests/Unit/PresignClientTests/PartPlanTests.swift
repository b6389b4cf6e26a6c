import Foundation
import Testing

@testable import PresignClient

@Suite("How a file is divided")
struct PartPlanTests {
    @Test("parts cover the file without gaps, and no more than 10,000", arguments: [0, 1, 17_000_000, 170_000 << 20])
    func ranges(size: Int64) throws {
        let plan = try PartPlan(size: size, limits: .init())
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

    @Test("a file above 5 GiB needs the action multipart")
    func tooLarge() async {
        #expect(await code { try UploadPlan(size: 5 << 30 + 1, permissions: .init(write: .init())) } == .constraint)
    }
}
