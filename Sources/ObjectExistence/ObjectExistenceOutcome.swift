/// The result of a check.
package enum ObjectExistenceOutcome: Sendable, Equatable {
    /// The storage's status code, 100...999.
    case status(Int)
    /// The total timeout passed, in the queue or in flight.
    case timedOut
    /// The check failed. The reason never contains the URL, which has a signature.
    case failed(String)
    /// Too many checks are waiting.
    case overloaded
}
