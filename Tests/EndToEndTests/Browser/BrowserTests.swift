import Testing

/// A few browsers at a time, because each uses a core for a part of its test and waits for the rest.
@Suite("Browser tests", .browser, .browserLimit)
enum BrowserTests {}

extension Trait where Self == ConditionTrait {
    /// Requires the built command; every such run also has its local storage and the browser.
    static var browser: Self {
        .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY; Tests/run.sh sets it")
    }
}

/// Lets each test of a suite wait for its turn before it starts a browser and the programs around it.
struct BrowserLimit: SuiteTrait, TestScoping {
    private static let limit = ConcurrencyLimit(3)

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.limit.pass(function)
    }
}

extension Trait where Self == BrowserLimit {
    /// At most three tests of the suite and its suites at a time.
    static var browserLimit: Self { BrowserLimit() }
}
