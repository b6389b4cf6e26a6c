/// What became of one check.
package enum ObjectExistenceOutcome: Sendable, Equatable {
    /// The storage's status code, 100...999.
    case status(Int)
    /// The total time ran out, while waiting or on the wire.
    case timedOut
    /// No answer, and why in a few words; never the URL, which holds a signature.
    case failed(String)
    /// Too many checks wait already.
    case overloaded
}
