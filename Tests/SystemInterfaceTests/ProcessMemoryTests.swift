import SystemInterface
import Testing

@Suite("The memory a process keeps")
struct ProcessMemoryTests {
    @Test("Pages of the program go, and what runs comes back as it was", .enabled(if: Self.isLinux))
    func release() throws {
        let text = "what is read after it was let go"
        let before = try Self.residentFilePages()
        ProcessMemory.releaseWhatTheStartNeeded()
        let after = try Self.residentFilePages()
        #expect(after < before)
        #expect(text.utf8.count == 32 && text.hasSuffix("let go"))
    }

    private static var isLinux: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }

    /// KiB of mapped files that are in memory.
    private static func residentFilePages() throws -> Int {
        let status = String(decoding: try ReadableFile.contents(of: "/proc/self/status"), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
