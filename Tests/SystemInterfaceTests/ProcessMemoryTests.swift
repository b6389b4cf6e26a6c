import Foundation
import SystemInterface
import Testing

@Suite("The memory a process keeps")
struct ProcessMemoryTests {
    @Test("Pages of the program go, and what runs comes back as it was", .enabled(if: Self.isLinux))
    func release() throws {
        let text = "what is read after it was let go"
        let before = try Self.resident("RssFile")
        ProcessMemory.releaseWhatTheStartNeeded()
        let after = try Self.resident("RssFile")
        #expect(after < before)
        #expect(text.utf8.count == 32 && text.hasSuffix("let go"))
    }

    /// In a process of its own: the tests beside it share the heap of this one.
    @Test(
        "Free memory between blocks in use is given back", .enabled(if: Self.isLinux),
        .enabled(if: !Self.isSanitized, "a sanitizer has an allocator of its own"))
    func spare() async {
        await #expect(processExitsWith: .success) {
            var blocks = (0..<4096).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 32 << 10) }
            blocks = blocks.enumerated().filter { $0.offset % 64 == 0 }.map(\.element)
            let before = try Self.resident("RssAnon")
            #expect(ProcessMemory.returnSpare())
            #expect(try Self.resident("RssAnon") < before - (120 << 10))
            #expect(!ProcessMemory.returnSpare(), "it was said to be given back")
            #expect(blocks.allSatisfy { $0.count == 32 << 10 && $0.last == $0.first })
        }
    }

    private static var isLinux: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    private static var isSanitized: Bool {
        ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains { ProcessInfo.processInfo.environment[$0] != nil }
    }

    /// KiB of memory of a kind.
    private static func resident(_ kind: String) throws -> Int {
        let status = String(decoding: try ReadableFile.contents(of: "/proc/self/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(kind + ":") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
