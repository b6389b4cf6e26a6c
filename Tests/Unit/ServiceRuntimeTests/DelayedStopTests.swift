import Testing

@testable import ServiceRuntime

@Suite("The delay of a stop")
struct DelayedStopTests {
    @Test("Signals stop the service after the delay or at once, in every order")
    func steps() {
        var state = DelayedStop.State()
        #expect(state.request(isDelayed: false) == .stop && state.request(isDelayed: false) == .nothing)
        state = DelayedStop.State()
        #expect(state.request(isDelayed: true) == .wait && state.request(isDelayed: true) == .stop)
        #expect(state.finish() == .nothing && state.request(isDelayed: true) == .nothing)
        state = DelayedStop.State()
        #expect(state.request(isDelayed: true) == .wait && state.finish() == .stop)
        #expect(state.finish() == .nothing && state.request(isDelayed: true) == .nothing)
    }
}
