/// The contexts used last, so that a key is derived once a day and a date is written once a second.
///
/// A handful suffices: one event loop signs for a few buckets, regions and credentials at a time.
struct SigningContextCache: Sendable {
    private static let capacity = 8

    private(set) var contexts: [SigningContext] = []
    private var oldest = 0

    /// Where in `contexts` the one for a URL is, made unless it is at hand.
    mutating func index(for credentials: Credentials, at endpoint: S3Endpoint, time: SigningTime) -> Int {
        let dayNumber = time.dayNumber
        for index in contexts.indices where contexts[index].serves(credentials, endpoint, dayNumber: dayNumber) {
            contexts[index].move(to: time)
            return index
        }
        let scope = SigningScope(
            dayNumber: dayNumber, region: endpoint.parts.region, service: endpoint.parts.service)
        return insert(SigningContext(credentials: credentials, scope: scope, time: time))
    }

    private mutating func insert(_ context: SigningContext) -> Int {
        guard contexts.count == Self.capacity else {
            contexts.append(context)
            return contexts.count - 1
        }
        let index = oldest
        contexts[index] = context
        oldest = (oldest + 1) % Self.capacity
        return index
    }
}
