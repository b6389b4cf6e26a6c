import Dispatch
import System

/// Removes files nobody wants any more, away from the loops: to free the blocks of a large one takes time.
struct Cleanup: Sendable {
    let queue = DispatchQueue(label: "local-storage-cleanup", qos: .utility)
    let report: @Sendable (String) -> Void

    /// Removes a file of `incoming`, some time; one that is gone is as good.
    func remove(_ name: String, from incoming: Directory) {
        queue.async { [report] in
            do throws(SystemError) {
                try incoming.remove(name)
            } catch {
                if !error.isAbsence { report("incoming/\(name) is left until the next start: \(error)") }
            }
        }
    }
}
