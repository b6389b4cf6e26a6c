import Testing

/// One browser at a time, because each uses a core.
@Suite("Browser tests", .browser, .serialized)
enum BrowserTests {}

extension Trait where Self == ConditionTrait {
    /// Requires the built command; every such run also has its local storage and the browser.
    static var browser: Self {
        .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY; Tests/run.sh sets it")
    }
}
