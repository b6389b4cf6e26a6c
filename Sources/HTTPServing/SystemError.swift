private import CPlatform

/// A failed system call: an errno.
struct SystemError: Error, Equatable {
    let code: Int32

    /// The value of a call that gives a negated errno when it fails.
    static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(code: -result) }
        return result
    }
}
