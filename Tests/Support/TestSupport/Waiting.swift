import Glibc

/// Polls the condition until it holds; returns false if it does not within the limit. Blocks.
package func becomesTrue(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if try condition() { return true }
        usleep(1000)
    }
    return try condition()
}

/// Polls the condition until it holds; returns false if it does not within the limit.
package func eventually(
    within limit: Duration = .seconds(20), _ condition: () async throws -> Bool
) async throws -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return try await condition()
}
