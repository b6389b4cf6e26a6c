package import PresignService

/// Runs the checks of one store and removes what they created.
package struct Doctor {
    /// What happens during a run, in order.
    package enum Event {
        /// Objects or uploads of earlier runs were removed.
        case removed(Leftovers, [String])
        /// It is not known whether there are any, for this reason.
        case unknown(Leftovers, String)
        /// The next check starts: its number from 1, the number of checks, and its name.
        case checking(Int, of: Int, Guarantee)
        case found(Finding)
        /// These keys could not be removed, each with the reason.
        case notRemoved([String])
    }

    /// What an earlier run can have left.
    package enum Leftovers: String, CaseIterable {
        case objects, uploads
    }

    private let configuration: ServiceConfiguration
    private var session: DoctorSession
    private var results: [Guarantee: Verdict.Result] = [:]

    package init(_ configuration: ServiceConfiguration, _ session: DoctorSession) {
        (self.configuration, self.session) = (configuration, session)
    }

    /// Runs all checks.
    ///
    /// - Parameter report: called for each event, before the next one happens.
    /// - Returns: what to declare in the store's section.
    /// - Throws: `DoctorStop.interrupted`, or `.unreachable` if the storage does not respond to the first request. What
    ///   the run created is removed before.
    package mutating func run(_ report: (Event) -> Void) throws(DoctorStop) -> [String] {
        let probes = Probe.all(of: configuration, for: session)
        let failure: DoctorStop?
        do throws(DoctorStop) {
            for leftovers in Leftovers.allCases where session.writes {
                if let event = try remove(leftovers) { report(event) }
            }
            for (index, probe) in probes.enumerated() {
                report(.checking(index + 1, of: probes.count, probe.guarantee))
                report(.found(try finding(of: probe, isFirst: index == 0)))
            }
            failure = nil
        } catch {
            failure = error
        }
        let left = session.removeCreated()
        if !left.isEmpty { report(.notRemoved(left)) }
        if let failure { throw failure }
        return configuration.declaration(of: Set(results.filter { $0.value == .enforced }.keys), for: session.store)
    }

    private mutating func remove(_ leftovers: Leftovers) throws(DoctorStop) -> Event? {
        do throws(DoctorStop) {
            let removed =
                switch leftovers {
                case .objects: try session.removeLeftoverObjects()
                case .uploads: try session.removeLeftoverUploads()
                }
            return removed.isEmpty ? nil : .removed(leftovers, removed)
        } catch {
            if error == .interrupted { throw error }
            return .unknown(leftovers, error.reason)
        }
    }

    private mutating func finding(of probe: Probe, isFirst: Bool) throws(DoctorStop) -> Finding {
        let verdict = try verdict(of: probe, isFirst: isFirst)
        results[probe.guarantee] = verdict.result
        return Finding(
            store: session.store.name, probe.guarantee, origin: probe.origin, verdict,
            configuration.reliances(on: probe.guarantee, in: session.store))
    }

    private mutating func verdict(of probe: Probe, isFirst: Bool) throws(DoctorStop) -> Verdict {
        if probe.writes, !session.writes { return .notPossible("it writes objects; run without --read-only") }
        if let missing = probe.needs.first(where: { results[$0] != .enforced }) {
            return .notPossible("it needs `\(missing.name)`")
        }
        do throws(DoctorStop) {
            return probe.judge(try probe.run(&session))
        } catch {
            switch error {
            case .interrupted: throw error
            case .unreachable where isFirst: throw error
            case .unreachable, .exhausted, .unmet: return .notPossible(error.reason)
            }
        }
    }
}
