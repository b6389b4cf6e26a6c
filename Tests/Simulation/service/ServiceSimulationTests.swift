import Foundation
import Testing

/// A value that `Tests/simulate.sh` passes on.
private func setting(_ name: String) -> String? {
    ProcessInfo.processInfo.environment["PRESIGN_SIMULATION_\(name)"]
}

private func number(_ name: String) -> UInt64? { setting(name).flatMap { UInt64($0) } }

/// Random histories of the service, with everything that can happen to it at the same time. See `Tests/simulate.sh`.
/// It runs in a process of its own, because it takes the process's descriptors.
@Suite(
    "One seed replays any failure of the service",
    .enabled(if: ["SEED", "SEEDS", "MINUTES"].contains { setting($0) != nil }))
struct ServiceSimulationTests {
    private static let actions = 250

    @Test("Whatever happens in whichever order, clients get what the rules allow")
    func seeds() throws {
        if let seed = number("SEED") { return try replay(seed) }
        var statuses: [Int: Int] = [:]
        let end = number("MINUTES").map { Date() + 60 * Double($0) }
        let first = end == nil ? 1 : UInt64(Date().timeIntervalSince1970)
        let count = end == nil ? number("SEEDS") ?? 20 : .max
        var seed = first
        while seed - first < count, end.map({ Date() < $0 }) ?? true {
            let simulation = try Self.run(seed)
            guard simulation.violation == nil else { return try report(seed, simulation) }
            statuses.merge(simulation.statuses, uniquingKeysWith: +)
            seed += 1
        }
        print("the service: seeds \(first) to \(seed - 1), responses by status: \(statuses.sorted { $0.key < $1.key })")
        if count > 10 {
            #expect(Set([200, 307, 401, 403, 408, 410, 422, 503]).isSubset(of: statuses.keys), "\(statuses)")
        }
    }

    /// Prints the history of a seed.
    private func replay(_ seed: UInt64) throws {
        let without = (setting("WITHOUT") ?? "").split(separator: ",").compactMap { Int($0) }
        let simulation = try Self.run(seed, without: Set(without))
        guard simulation.violation == nil else { return try report(seed, simulation, without: Set(without)) }
        print(simulation.history.joined(separator: "\n"))
    }

    private static func run(_ seed: UInt64, without skipped: Set<Int> = []) throws -> ServiceSimulation {
        let simulation = try ServiceSimulation(seed: seed)
        try simulation.run(actions: Self.actions, without: skipped)
        return simulation
    }

    /// Records a violation, with the shortest history that has it.
    private func report(_ seed: UInt64, _ simulation: ServiceSimulation, without skipped: Set<Int> = []) throws {
        // Looking for the shortest history takes minutes.
        FileHandle.standardError.write(Data("seed \(seed): \(simulation.violation ?? "")\n".utf8))
        var (shortest, skipped) = (simulation, skipped)
        for length in [64, 16, 4, 1] {
            let actions = shortest.actions
            for start in stride(from: 0, to: actions.count, by: length) {
                let more = skipped.union(actions[start..<min(start + length, actions.count)])
                guard let shorter = try? Self.run(seed, without: more), shorter.kind == simulation.kind else {
                    continue
                }
                (shortest, skipped) = (shorter, more)
            }
        }
        let list = skipped.filter { $0 <= shortest.actions.last ?? 0 }.sorted().map(String.init).joined(separator: ",")
        let options = "--seed \(seed)" + (list.isEmpty ? "" : " --without \(list)")
        Issue.record(
            """
            seed \(seed): \(simulation.violation ?? "")
            \(shortest.history.joined(separator: "\n"))
            Shortest history: Tests/simulate.sh service \(options)
            """)
    }
}

extension ServiceSimulation {
    /// The violation without the names and numbers in it; nil without a violation.
    fileprivate var kind: [Substring]? {
        let words = violation?.prefix { $0 != "\n" }.split(separator: " ")
        return words?.filter { !$0.contains(where: \.isNumber) }
    }
}
