import Foundation
import Testing

/// A number that `Tests/simulate.sh` passes on.
private func setting(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment["PRESIGN_SIMULATION_\(name)"].flatMap { UInt64($0) }
}

/// Random histories of the service, with everything that can happen to it at the same time. See `Tests/simulate.sh`.
/// It runs in a process of its own, because it takes the process's descriptors.
@Suite(
    "One seed replays any failure of the service",
    .enabled(if: ["SEED", "SEEDS", "MINUTES"].contains { setting($0) != nil }))
struct ServiceSimulationTests {
    private static let steps = 250

    @Test("Whatever happens in whichever order, clients get what the rules allow")
    func seeds() throws {
        var statuses: [Int: Int] = [:]
        let end = setting("MINUTES").map { Date() + 60 * Double($0) }
        var (seed, count) = (UInt64(1), setting("SEEDS") ?? 20)
        if let given = setting("SEED") { (seed, count) = (given, 1) }
        if end != nil { (seed, count) = (UInt64(Date().timeIntervalSince1970), .max) }
        let first = seed
        while seed - first < count, end.map({ Date() < $0 }) ?? true {
            let simulation = try ServiceSimulation(seed: seed)
            try simulation.run(steps: Self.steps)
            if let violation = simulation.violation {
                let history = simulation.history.suffix(80).joined(separator: "\n")
                Issue.record("seed \(seed): \(violation)\n\(history)")
                return
            }
            statuses.merge(simulation.statuses, uniquingKeysWith: +)
            seed += 1
        }
        print("the service: seeds \(first) to \(seed - 1), responses by status: \(statuses.sorted { $0.key < $1.key })")
        if count > 10 { #expect(Set([200, 401, 403, 408, 422, 503]).isSubset(of: statuses.keys), "\(statuses)") }
    }
}
