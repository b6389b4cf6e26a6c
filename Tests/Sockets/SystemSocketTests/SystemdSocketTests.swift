import Foundation
import Testing

@testable import System

@Suite("Notifications to systemd")
struct SystemdSocketTests {
    @Test("Without NOTIFY_SOCKET there is no manager; watchdog pings are for this process only")
    func environment() {
        #expect(manager([:]) == nil && manager(["NOTIFY_SOCKET": ""]) == nil)
        #expect(manager(["WATCHDOG_USEC": "5"]) == nil)
        let cases: [(variables: [String: String], interval: UInt64?)] = [
            ([:], nil), (["WATCHDOG_USEC": "30000000"], 30_000_000), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "-1"], nil), (["WATCHDOG_USEC": "soon"], nil),
            (["WATCHDOG_USEC": "7", "WATCHDOG_PID": "42"], 7), (["WATCHDOG_USEC": "7", "WATCHDOG_PID": "43"], nil),
        ]
        for (variables, interval) in cases {
            let manager = manager(variables.merging(["NOTIFY_SOCKET": "/run/notify"]) { given, _ in given })
            #expect(manager != nil && manager?.watchdogInterval == interval, "\(variables)")
        }
    }

    private func manager(_ variables: [String: String]) -> SystemdSocket? {
        SystemdSocket(process: 42) { variables[$0] }
    }

    @Test("Messages are lines of assignments, whatever the values contain")
    func texts() {
        let texts: [(message: SystemdSocket.Message, text: String)] = [
            (.ready(status: "a\nMAINPID=1"), "READY=1\nSTATUS=a MAINPID=1\n"),
            (.reloading(since: 17), "RELOADING=1\nMONOTONIC_USEC=17\nSTATUS=reloading the configuration\n"),
            (.stopping, "STOPPING=1\nSTATUS=finishing requests in flight\n"), (.alive, "WATCHDOG=1\n"),
        ]
        for (message, text) in texts { #expect(message.text == text) }
    }

    @Test("A message is one datagram, to a path or an abstract name", arguments: ["/", "@"])
    func datagrams(kind: String) throws {
        let name = "presign-notify-\(UUID().uuidString)"
        let address = kind == "@" ? "@" + name : "/tmp/" + name
        let receiver = try #require(DatagramReceiver(address))
        // The call reads a NUL-terminated copy of the path.
        defer { unsafe unlink("/tmp/" + name) }
        let manager = try #require(SystemdSocket(process: 1) { $0 == "NOTIFY_SOCKET" ? address : nil })
        try manager.tell(.alive)
        try manager.tell(.ready(status: "up"))
        #expect(receiver.next() == "WATCHDOG=1\n")
        #expect(receiver.next() == "READY=1\nSTATUS=up\n")
    }

    @Test(
        "If sending fails, the system's error is thrown",
        arguments: [
            ("/nonexistent/notify", ENOENT), ("vsock:2:1", EAFNOSUPPORT), ("@", EINVAL),
            ("/" + String(repeating: "n", count: 108), ENAMETOOLONG), ("@nobody-\(UUID().uuidString)", ECONNREFUSED),
        ])
    func failures(address: String, code: Int32) throws {
        let manager = try #require(SystemdSocket(process: 1) { $0 == "NOTIFY_SOCKET" ? address : nil })
        #expect(throws: SystemError(code)) { try manager.tell(.alive) }
    }

    @Test("The time of a reload is that of the monotonic clock")
    func clock() {
        let first = SystemdSocket.monotonicMicroseconds()
        var now = timespec()
        // The structure is local and filled by the call.
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        let second = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
        #expect(first > 0 && first <= second && second - first < 5_000_000)
    }
}

/// A datagram socket in place of the service manager's.
private final class DatagramReceiver {
    private let descriptor: Int32

    init?(_ name: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Both pointers are used only within their calls; the name is far shorter than the structure.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name.utf8) }
        let isPath = name.hasPrefix("/")
        if !isPath { address.sun_path.0 = 0 }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count + (isPath ? 1 : 0))
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
        }
        guard descriptor >= 0, result == 0 else { return nil }
    }

    deinit { close(descriptor) }

    func next() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        // The call writes at most `count` bytes into the array.
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
