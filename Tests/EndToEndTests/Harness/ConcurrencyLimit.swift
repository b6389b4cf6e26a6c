/// Lets a limited number of tests run at once; the others wait in order. Swift Testing starts every test at once, but
/// each of these starts programs and waits for them with a timeout.
actor ConcurrencyLimit {
    /// Passed once by every test that starts programs.
    static let tests = ConcurrencyLimit(4)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ places: Int) { free = places }

    nonisolated func pass<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        await enter()
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        await leave()
        return try outcome.get()
    }

    private func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func leave() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}
