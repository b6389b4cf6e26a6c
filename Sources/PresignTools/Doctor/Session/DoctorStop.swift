package import HTTPClient

/// Why a check ended before it had all responses.
package enum DoctorStop: Error, Sendable, Equatable {
    /// The operator interrupted the run.
    case interrupted
    /// The run has sent as many requests as it may.
    case exhausted
    /// No response.
    case unreachable(FetchFailure)
    /// A step that the check needs failed, or is not allowed. The reason is a clause.
    case unmet(String)

    /// The reason as a clause.
    package var reason: String {
        switch self {
        case .interrupted: "the run was interrupted"
        case .exhausted: "the run has sent \(DoctorSession.maximumRequests) requests"
        case .unreachable(let failure): failure.description
        case .unmet(let reason): reason
        }
    }
}
