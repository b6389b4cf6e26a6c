/// The contexts used last, so that a key is derived once a day and a date is written once a second.
///
/// A handful suffices: one event loop signs for a few buckets, regions and credentials at a time.
struct SigningContextCache: Sendable {
    private static let capacity = 8

    private var contexts: [SigningContext] = []
    private var oldest = 0

    /// The context of a URL, made unless it is at hand.
    mutating func context(
        for credentials: Credentials, at endpoint: S3Endpoint.Parts, time: SigningTime
    ) -> SigningContext {
        let dayNumber = time.dayNumber
        for index in contexts.indices where contexts[index].serves(credentials, endpoint, dayNumber: dayNumber) {
            if contexts[index].time != time { contexts[index] = contexts[index].moved(to: time) }
            return contexts[index]
        }
        let scope = SigningScope(dayNumber: dayNumber, region: endpoint.region, service: endpoint.service)
        let context = SigningContext(credentials: credentials, scope: scope, time: time)
        insert(context)
        return context
    }

    private mutating func insert(_ context: SigningContext) {
        guard contexts.count == Self.capacity else { return contexts.append(context) }
        contexts[oldest] = context
        oldest = (oldest + 1) % Self.capacity
    }
}
