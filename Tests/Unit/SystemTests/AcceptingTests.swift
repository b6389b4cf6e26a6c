import Glibc
import Testing

@testable import System

@Suite("Accepting a connection that cannot be had")
struct AcceptingTests {
    @Test("nothing waits, or it is gone and the next is tried", arguments: [EAGAIN, EINVAL, ECONNABORTED, EPROTO])
    func passing(code: Int32) {
        switch Socket.accepted(failing: code) {
        case .none: #expect([EAGAIN, EINVAL].contains(code))
        case .gone: #expect([ECONNABORTED, EPROTO].contains(code))
        case .connection, .unavailable: Issue.record("it would be waited for")
        }
    }

    @Test("what stays must not be tried at once again", arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM, EIO])
    func lasting(code: Int32) {
        guard case .unavailable = Socket.accepted(failing: code) else {
            Issue.record("the loop would be kept busy")
            return
        }
    }
}
