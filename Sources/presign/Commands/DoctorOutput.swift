import PresignService
import PresignTools
import Presigning
import ServiceRuntime
import System

/// The output of `presign doctor`: findings on standard output, progress and notices on standard error.
final class DoctorOutput {
    private let store: String
    private let isJSON: Bool
    private let showsProgress = DescriptorWriter.standardError.isTerminal
    /// Whether a rule relies on what the store does not enforce, or something is left in the store.
    private(set) var hasFailed = false
    /// The names of the checks that were not possible although rules rely on them.
    private var unchecked: [String] = []

    init(of store: String, isJSON: Bool) { (self.store, self.isJSON) = (store, isJSON) }

    /// One line with the checks that were not possible although rules rely on them; nil without any.
    var summaryOfUnchecked: String? {
        unchecked.isEmpty
            ? nil : "store `\(store)`: not checked, although rules rely on it: \(unchecked.joined(separator: ", "))"
    }

    func begin(_ session: DoctorSession) throws(ProgramFailure) {
        guard !isJSON else { return }
        try printLines([
            "store \(session.store.name): \(session.store.location)",
            session.writes
                ? "writes below \(String(decoding: session.prefix, as: UTF8.self))\(session.mark.run)/"
                : "writes nothing (--read-only)",
        ])
    }

    func report(_ event: Doctor.Event) throws(ProgramFailure) {
        switch event {
        case .checking(let number, let total, let guarantee):
            progress("checking \(number) of \(total): \(guarantee.name)")
        case .removed(_, let keys):
            for key in keys { note("removed \(key), which an earlier run had left") }
        case .unknown(let leftovers, let reason):
            note("cannot look for \(leftovers.rawValue) that an earlier run may have left: \(reason)")
        case .notRemoved(let keys):
            hasFailed = true
            for key in keys { note("not removed: \(key)") }
        case .found(let finding):
            if finding.breaksRule { hasFailed = true }
            if finding.leavesRuleUnchecked { unchecked.append(finding.guarantee.name) }
            clearProgress()
            try printLines([isJSON ? String(decoding: finding.json, as: UTF8.self) : finding.text])
        }
    }

    func end(_ declarations: [String], of store: StoreConfiguration) throws(ProgramFailure) {
        guard !isJSON, !declarations.isEmpty else { return }
        try printLines([
            "the store `\(store.name)` can declare what was found: \(declarations.joined(separator: ", "))"
        ])
    }

    func clearProgress() { progress("") }

    private func note(_ text: String) {
        clearProgress()
        try? DescriptorWriter.standardError.write(Array("presign: \(text.printable)\n".utf8))
    }

    /// Replaces the line of the terminal.
    private func progress(_ text: String) {
        guard showsProgress else { return }
        try? DescriptorWriter.standardError.write(Array("\r\u{1B}[K\(text)".utf8))
    }
}
