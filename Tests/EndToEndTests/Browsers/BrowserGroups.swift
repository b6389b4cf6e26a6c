import Testing

// Each group of browser tests is a process of its own, with one browser of each kind, because each uses a core.

@Suite("Pages", .browser, .serialized, .sharedBrowsers)
enum Pages {}

/// Who uses the page, and how: apart from the other tests of the page, which would take longer than any other group.
@Suite("Users of the page", .browser, .serialized, .sharedBrowsers)
enum Users {}

@Suite("Transfers of presign.js", .browser, .serialized, .sharedBrowsers)
enum Transfers {}

@Suite("Browsers", .browser, .serialized, .sharedBrowsers)
enum Browsers {}

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
