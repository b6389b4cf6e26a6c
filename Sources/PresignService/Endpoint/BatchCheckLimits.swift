/// How a batch may use the existence checks that all requests share.
struct BatchCheckLimits: Sendable {
    /// Checks that one batch has under way at once: so many that others find room beside it.
    let atOnce: Int
    /// After this time no more are begun, so that those under way end before the answer has to be there.
    let beginning: Duration

    /// - Parameter answer: the time a deferred answer has.
    init(_ existence: ExistenceConfiguration, answer: Duration) {
        atOnce = max(1, existence.maximumInFlight / 4)
        beginning = max(answer / 2, answer - existence.timeout)
    }
}
