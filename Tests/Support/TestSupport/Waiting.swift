import Glibc

/// Polls the condition until it holds; returns false if it does not within the limit. Blocks.
package func becomesTrue(within limit: Duration = .seconds(60), _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if try condition() { return true }
        usleep(1000)
    }
    return try condition()
}

/// Polls the condition until it holds; returns false if it does not within the limit.
package func eventually(
    within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async throws -> Bool {
    try await found(within: limit) { try await condition() ? true : nil } ?? false
}

/// Polls a closure until it returns a value, and returns that; nil after the limit. The longer it takes, the rarer it is
/// polled, because a poll can be a request to a browser.
package func found<Value>(
    within limit: Duration = .seconds(60), _ value: () async throws -> Value?
) async throws -> Value? {
    let deadline = ContinuousClock.now + limit
    var pause = Duration.milliseconds(5)
    while ContinuousClock.now < deadline {
        if let value = try await value() { return value }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(80))
    }
    return try await value()
}
