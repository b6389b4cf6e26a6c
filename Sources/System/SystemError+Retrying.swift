import Glibc

extension SystemError {
    /// Repeats a system call while a signal interrupts it (`EINTR`).
    ///
    /// - Parameter call: returns a negative number and sets `errno` on failure.
    /// - Returns: the call's result, 0 or more.
    /// - Throws: any other `errno`.
    package static func retryingOnInterrupt<Result: SignedInteger>(
        _ call: () -> Result
    ) throws(SystemError) -> Result {
        while true {
            let result = call()
            if result >= 0 { return result }
            let code = errno
            guard code == EINTR else { throw SystemError(code) }
        }
    }
}
