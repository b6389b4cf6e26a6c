import Testing

/// One browser of each kind in a process, because each uses a core.
@Suite("Browser tests", .browser, .serialized, .sharedBrowsers)
enum BrowserTests {}

extension Trait where Self == ConditionTrait {
    /// Requires the built command; every such run also has its local storage and the browser.
    static var browser: Self {
        .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY; Tests/run.sh sets it")
    }
}

/// Ends the browsers that the tests of a suite have shared.
struct SharedBrowsers: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await RunningBrowsers.sharing(function)
    }
}

extension Trait where Self == SharedBrowsers {
    static var sharedBrowsers: Self { SharedBrowsers() }
}
