import Dispatch
import SystemInterface

/// What a crowd of clients has left behind: memory that nobody uses and the allocator keeps.
enum SpareMemory {
    /// Gives it back from time to time, until the timer is cancelled.
    static func watch() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.setEventHandler { ProcessMemory.returnSpare() }
        timer.schedule(deadline: .now() + .seconds(5), repeating: .seconds(5), leeway: .seconds(1))
        timer.resume()
        return timer
    }
}
