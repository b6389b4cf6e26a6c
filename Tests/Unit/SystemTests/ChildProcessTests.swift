import Foundation
import Testing

@testable import System

@Suite("Child processes")
struct ChildProcessTests {
    private static func shell(
        _ script: String, limit: Int = 1 << 16, timeout: Duration = .seconds(20)
    ) throws(ChildProcess.Failure) -> String {
        String(
            decoding: try ChildProcess.output(of: "/bin/sh", ["-c", script], limit: limit, timeout: timeout),
            as: UTF8.self)
    }

    @Test("Output is returned even if it exceeds the pipe, and arguments are passed unchanged")
    func output() throws {
        #expect(try Self.shell("printf %s ok") == "ok")
        #expect(try Self.shell("head -c 200000 /dev/zero", limit: 200_000).utf8.count == 200_000)
        let words = ["a b", "", "$HOME", "\"", "é"]
        let printed = try ChildProcess.output(of: "/usr/bin/printf", ["<%s>"] + words, timeout: .seconds(20))
        #expect(String(decoding: printed, as: UTF8.self) == "<a b><><$HOME><\"><é>")
    }

    @Test("The child has empty input, no terminal, and none of our descriptors")
    func descriptors() throws {
        // Deliberately without close-on-exec.
        let leaky = unsafe open("/etc/hosts", O_RDONLY)
        defer { close(leaky) }
        let found = try Self.shell("cat; echo gone >&2; for d in /proc/self/fd/*; do echo $d $(readlink $d); done")
        let lines = found.split(separator: "\n").filter { !$0.hasSuffix("/fd/*") }
        #expect(lines.contains { $0.hasPrefix("/proc/self/fd/0 ") && $0.hasSuffix("/dev/null") }, "\(found)")
        #expect(lines.contains { $0.hasPrefix("/proc/self/fd/2 ") && $0.contains("pipe:") }, "\(found)")
        #expect(!found.contains("/etc/hosts") && !found.contains("socket:"), "\(found)")
    }

    @Test("The child starts with default signal mask and handlers")
    func signals() throws {
        var set = sigset_t()
        var old = sigset_t()
        // The calls only fill and read these structures on our stack.
        _ = unsafe sigemptyset(&set)
        _ = unsafe sigaddset(&set, SIGTERM)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &set, &old)
        defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
        let status = try Self.shell("grep -E '^Sig(Blk|Ign)' /proc/self/status")
        let masks = status.split(separator: "\n").map {
            $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        }
        let pipe = UInt64(1) << UInt64(SIGPIPE - 1)
        #expect(masks.count == 2 && masks[0] == 0 && (masks[1] ?? pipe) & pipe == 0, "\(status)")
    }

    @Test(
        "Failures are distinguished, and none quotes the output",
        arguments: [
            ("echo secret; exit 7", .failed(status: 7)), ("kill -9 $$", .failed(status: 137)),
            ("echo secret; echo no session >&2; exit 7", .failed(status: 7, explanation: "no session")),
            ("echo secret; echo the secret is wrong >&2; exit 7", .failed(status: 7)),
            ("head -c 300000 /dev/zero >&2; echo the end >&2; exit 1", .failed(status: 1, explanation: "the end")),
            ("yes line | head -c 300000 >&2; echo the end >&2; exit 1", .failed(status: 1, explanation: "the end")),
            ("while :; do echo secret; done", .outputTooLarge), ("sleep 30", .timedOut),
            ("sleep 30 & echo secret; wait", .timedOut),
        ] as [(String, ChildProcess.Failure)])
    func failures(script: String, expected: ChildProcess.Failure) {
        let start = ContinuousClock.now
        let failure = #expect(throws: ChildProcess.Failure.self) {
            _ = try Self.shell(script, timeout: expected == .timedOut ? .milliseconds(300) : .seconds(20))
        }
        #expect(failure == expected && failure?.description.contains("secret") == false)
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test("A timeout kills the child's process group")
    func group() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        // On a busy machine the shell may need longer than the first timeout to start its child.
        var child: Int32?
        for seconds in [1, 5, 20] where child == nil {
            #expect(throws: ChildProcess.Failure.timedOut) {
                _ = try Self.shell("sleep 60 & echo $! > '\(file.path())'; wait", timeout: .seconds(seconds))
            }
            let text = try? String(contentsOf: file, encoding: .utf8)
            child = text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        }
        let number = try #require(child)
        // Only init waits for it, so it may be a zombie for a moment.
        let deadline = ContinuousClock.now + .seconds(10)
        while kill(number, 0) == 0, Self.state(of: number) != "Z", ContinuousClock.now < deadline { usleep(10_000) }
        #expect(kill(number, 0) != 0 || Self.state(of: number) == "Z")
    }

    @Test("A background process that keeps the output open does not delay the result")
    func background() throws {
        let child = try #require(Int32(try Self.shell("sleep 60 & printf $!")))
        // The process still has the output open. A delayed result would come after its end, or not at all.
        #expect(kill(child, SIGKILL) == 0)
    }

    @Test("A missing program, or a file that is not one, is reported before anything runs")
    func paths() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("#!/bin/sh\n".utf8).write(to: file)
        // The call reads a NUL-terminated copy of the path.
        #expect(unsafe chmod(file.path(), 0o600) == 0)
        #expect(ProgramPath.path(of: "sh", searching: "/nowhere:/bin") == "/bin/sh")
        #expect(ProgramPath.path(of: "sh", searching: nil) == "/bin/sh")
        #expect(ProgramPath.path(of: "/bin/sh", searching: nil) == "/bin/sh")
        for missing in ["no-such-program", "", file.path(), "/bin", "./sh"] {
            #expect(ProgramPath.path(of: missing, searching: "/bin:/usr/bin") == nil)
        }
        #expect(throws: ChildProcess.Failure.notStarted(SystemError(ENOENT))) {
            _ = try ChildProcess.output(of: "/nowhere/program", [], timeout: .seconds(1))
        }
    }

    private static func state(of process: Int32) -> Substring? {
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return status?.split(separator: ")").last?.split(separator: " ").first
    }
}
