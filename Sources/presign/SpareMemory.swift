import Dispatch
import SystemInterface

/// Memory that nobody uses any more: what the start needed, and what a crowd of clients has left with the allocator.
enum SpareMemory {
    /// Gives the one back soon, the other from time to time, until the timer is cancelled.
    static func watch() -> any DispatchSourceTimer {
        // The loops and the credentials begin on threads of their own; what they need only for that goes too.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100)) {
            ProcessMemory.releaseWhatTheStartNeeded()
        }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.setEventHandler { ProcessMemory.returnSpare() }
        timer.schedule(deadline: .now() + .seconds(5), repeating: .seconds(5), leeway: .seconds(1))
        timer.resume()
        return timer
    }
}
