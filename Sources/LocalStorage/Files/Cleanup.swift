import Dispatch
import System

/// Removes abandoned files on its own queue, because freeing the blocks of a large file would block an event loop.
struct Cleanup: Sendable {
    let queue = DispatchQueue(label: "local-storage-cleanup", qos: .utility)
    let report: @Sendable (String) -> Void

    /// Removes a file of `incoming` asynchronously. A file that no longer exists is not an error.
    func remove(_ name: String, from incoming: Directory) {
        queue.async { [report] in
            do throws(SystemError) {
                try incoming.remove(name)
            } catch {
                if !error.isAbsence {
                    report("cannot remove incoming/\(name): \(error); the next start removes it")
                }
            }
        }
    }
}
