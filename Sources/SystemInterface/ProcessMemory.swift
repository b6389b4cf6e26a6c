import CSystem

/// The memory that this process keeps.
public enum ProcessMemory {
    /// Gives back what only the start needed: pages of the program's text and constants, and free pages of the heap.
    ///
    /// Reading options and configuration touches more of the program than answering requests does. What is needed again
    /// comes back from the page cache. Call once, when the start is over; takes well below a millisecond.
    public static func releaseWhatTheStartNeeded() {
        presignReleasePages()
    }
}
