import CPlatform
import Glibc

/// An `errno` value with its text, as `strerror(3)` words it.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    package let code: Int32

    /// - Parameter code: a value of `errno`.
    package init(_ code: Int32) {
        self.code = code
    }

    /// Returns the value of a call that reports failure as a negated errno.
    package static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(-result) }
        return result
    }

    /// As `strerror(3)` words it.
    package var description: String {
        var text = [CChar](repeating: 0, count: 256)
        // The shim copies the text into our buffer, which is read before the scope ends.
        return unsafe text.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress, let message = unsafe presign_strerror(code, base, buffer.count) else {
                return "error \(code)"
            }
            return unsafe String(cString: message)
        }
    }
}

extension SystemError {
    /// Nothing stands at that name (`ENOENT`, `ENOTDIR`).
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
    /// Something stands there already (`EEXIST`).
    package var isTaken: Bool { code == EEXIST }
    /// A directory stands where a file was asked for (`EISDIR`; `EPERM` outside Linux).
    package var isDirectory: Bool { code == EISDIR || code == EPERM }
    /// A symbolic link stands where none is followed (`ELOOP`).
    package var isSymbolicLink: Bool { code == ELOOP }
    /// The disk, or the user's share of it, has no room left (`ENOSPC`, `EDQUOT`).
    package var isFullDisk: Bool { code == ENOSPC || code == EDQUOT }
    /// No descriptor or memory is left just now.
    package var isExhaustion: Bool { code == EMFILE || code == ENFILE || code == ENOMEM }
}
