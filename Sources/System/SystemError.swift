import CPlatform
import Glibc

/// A failed system call.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32

    /// - Parameter code: a value of `errno`.
    package init(_ code: Int32) {
        self.code = code
    }

    /// Returns the result of a call, or throws if it is a negated `errno`.
    package static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(-result) }
        return result
    }

    /// The peer broke the rules of a protocol (`EPROTO`).
    package static let brokenProtocol = SystemError(EPROTO)

    /// The text of `strerror(3)`.
    package var description: String {
        var text = [CChar](repeating: 0, count: 256)
        // unsafe: the shim writes at most `count` bytes into the array, which are copied before the closure returns.
        return unsafe text.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, let message = unsafe presign_strerror(code, base, buffer.count) else {
                return "error \(code)"
            }
            return unsafe String(cString: message)
        }
    }

    /// The file does not exist (`ENOENT`, `ENOTDIR`).
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
    /// The file already exists (`EEXIST`).
    package var isTaken: Bool { code == EEXIST }
    /// The name refers to a directory instead of a file (`EISDIR`, or `EPERM` as POSIX specifies for unlink).
    package var isDirectory: Bool { code == EISDIR || code == EPERM }
    /// The name refers to a symbolic link, which is not followed (`ELOOP`).
    package var isSymbolicLink: Bool { code == ELOOP }
    /// The disk is full, or the user's quota is used up (`ENOSPC`, `EDQUOT`).
    package var isFullDisk: Bool { code == ENOSPC || code == EDQUOT }
    /// No file descriptor or memory is available (`EMFILE`, `ENFILE`, `ENOMEM`).
    package var isExhaustion: Bool { code == EMFILE || code == ENFILE || code == ENOMEM }

    /// Returns the next bytes of a descriptor, at most `count`; none at the end of its input.
    static func bytes(from descriptor: Int32, atMost count: Int) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let received = try retryingOnInterrupt {
            // unsafe: the pointer is used only during the call, with the array's count.
            unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        }
        return Array(buffer.prefix(received))
    }

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
