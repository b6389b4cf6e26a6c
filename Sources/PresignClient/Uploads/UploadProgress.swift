/// The bytes of an upload that the storage has, and those of the requests in flight.
final class UploadProgress: Sendable {
    private struct State {
        var stored: Int64 = 0
        /// By part number; 0 is the whole file.
        var inFlight: [Int: Int64] = [:]
    }

    private let state = Locked(State())
    private let report: @Sendable (Int64) -> Void

    init(report: @escaping @Sendable (Int64) -> Void) {
        self.report = report
    }

    /// Sets the bytes that the storage has before anything is sent.
    func begin(stored: Int64) {
        change { $0 = State(stored: stored) }
    }

    func sent(_ bytes: Int64, of part: Int) {
        change { $0.inFlight[part] = bytes }
    }

    func stored(_ bytes: Int64, of part: Int) {
        change { state in
            state.inFlight[part] = nil
            state.stored += bytes
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let sum = state.with { state in
            body(&state)
            return state.inFlight.values.reduce(state.stored, +)
        }
        report(sum)
    }
}
