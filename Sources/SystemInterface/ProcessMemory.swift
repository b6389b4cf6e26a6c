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

    /// Has the allocator keep less of what is freed, from 256 KiB in one piece on. By itself it keeps ever more, the larger
    /// the blocks are that it has seen. Call once, before there is a second thread.
    public static func limitSpare() { presignLimitSpareMemory(256 << 10) }

    /// Gives back free pages of the heap, which the allocator keeps when they lie between others, if the process holds
    /// 8 MiB more than it uses. Cheap unless it does; then it takes some milliseconds for 100 MiB.
    ///
    /// - Returns: whether anything was given back.
    @discardableResult
    public static func returnSpare() -> Bool { presignReturnSpareMemory(8 << 20) }
}
