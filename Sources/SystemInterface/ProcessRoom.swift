import CSystem

/// What a process must be able to have before it begins. Dispatch ends a process that has no descriptor left for it, and
/// waits without a word for threads that cannot begin, so both are tried first.
package enum ProcessRoom {
    /// - Parameter count: threads beside the running ones, at least 1.
    /// - Throws: why fewer can be started.
    package static func tryThreads(_ count: Int) throws(SystemError) {
        try check(presignTryThreads(Int32(clamping: count)))
    }

    /// - Parameter count: descriptors beside the open ones, at least 1.
    /// - Throws: why fewer can be opened.
    package static func tryDescriptors(_ count: Int) throws(SystemError) {
        try check(presignTryDescriptors(Int32(clamping: count)))
    }

    private static func check(_ code: Int32) throws(SystemError) {
        if code != 0 { throw SystemError(code) }
    }
}
