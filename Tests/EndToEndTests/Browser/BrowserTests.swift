import Testing

/// One browser at a time: each takes a core.
@Suite("In a real browser", .browser, .serialized)
enum BrowserTests {}

extension Trait where Self == ConditionTrait {
    /// The built command; its storage and the browser are parts of every run that has it.
    static var browser: Self {
        .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY; Tests/run.sh sets it")
    }
}
