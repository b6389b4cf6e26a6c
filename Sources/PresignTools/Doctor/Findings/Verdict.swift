/// The outcome of one check.
package struct Verdict: Sendable, Equatable {
    package enum Result: String, Sendable {
        case enforced
        case notEnforced = "not enforced"
        case notPossible = "not possible"
    }

    package let result: Result
    /// What the storage did, or why the check was not possible.
    package let detail: String
    /// The fix if it differs from that of the guarantee.
    package var remedy: String?

    package static func enforced(_ detail: String) -> Verdict { Verdict(result: .enforced, detail: detail) }
    package static func notEnforced(_ detail: String) -> Verdict { Verdict(result: .notEnforced, detail: detail) }
    package static func notPossible(_ detail: String) -> Verdict { Verdict(result: .notPossible, detail: detail) }
}
