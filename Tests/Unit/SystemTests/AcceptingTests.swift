import Glibc
import Testing

@testable import System

@Suite("Failures of accept")
struct AcceptingTests {
    @Test(
        "Errors of a single connection or an empty queue are not waited for",
        arguments: [EAGAIN, EINVAL, ECONNABORTED, EPROTO])
    func passing(code: Int32) {
        switch Socket.accepted(failing: code) {
        case .none: #expect([EAGAIN, EINVAL].contains(code))
        case .gone: #expect([ECONNABORTED, EPROTO].contains(code))
        case .connection, .unavailable: Issue.record("treated as a lasting failure")
        }
    }

    @Test("Lasting errors are not retried immediately", arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM, EIO])
    func lasting(code: Int32) {
        guard case .unavailable = Socket.accepted(failing: code) else {
            Issue.record("the loop would retry without a pause")
            return
        }
    }
}
