import Foundation
import Testing

extension Alone {
    @Suite("Memory of responses")
    struct ResponseMemoryTests {
        @Test(
            "Large numbers of clients that read no responses: the third and the fourth group use no more memory than the first two",
            .enabled(if: Loads.slowness == 1, "a sanitizer has an allocator of its own"))
        func crowdsThatReadNothing() async throws {
            try await Loads.serving(page: true, server: "loops: 2") { service in
                let before = try service.anonymousMemory
                var peaks: [Int] = []
                for _ in 0..<4 {
                    let result = try await Command.run(
                        "/usr/bin/env",
                        ["python3", Python.script("deaf_crowd"), service.address, "1000", "\(service.identifier)"])
                    peaks.append(try #require(Int(result.output.trimmingCharacters(in: .newlines)), "\(result)"))
                }
                #expect(
                    peaks[0] > before + (24 << 10), "\(peaks) KiB: the clients use too little memory for a comparison")
                // How much of the responses the kernel takes differs from group to group.
                #expect(min(peaks[2], peaks[3]) < max(peaks[0], peaks[1]) + (8 << 10), "\(peaks) KiB")
            }
        }

        @Test(
            "Memory of multi-megabyte responses is reused: eight more responses take less than 8 MiB more",
            .enabled(if: Loads.slowness == 1, "a sanitizer has an allocator of its own"))
        func largeResponses() async throws {
            let path = String(repeating: "\u{FC}", count: 500)
            let requests = (0..<1000).map { #"{"path":"\#(path)\#($0)"}"# }.joined(separator: ",")
            try await Loads.serving(server: "loops: 2, limits: {batchBody: 2m}") { service in
                var memory: [Int] = []
                for _ in 0..<20 {
                    let response = try await HTTP.send(
                        "POST", "http://\(service.address)/presign/batch",
                        headers: ["X-API-Key": service.apiKey, "Content-Type": "application/json"],
                        body: Data("{\"requests\":[\(requests)]}".utf8))
                    #expect(response.status == 200 && response.body.count > 4_000_000, "\(response.body.count) bytes")
                    memory.append(try service.anonymousMemory)
                }
                // Peaks, because the allocator returns memory at times; after twelve each loop has served one.
                let (earlier, later) = (memory[..<12].max() ?? 0, memory[12...].max() ?? 0)
                #expect(later < earlier + (8 << 10), "\(memory) KiB")
            }
        }
    }
}

extension PresignProcess {
    /// Anonymous memory in KiB. The exact count is not readable by other users or by root without CAP_SYS_PTRACE; this
    /// one lags behind by some pages per core.
    fileprivate var anonymousMemory: Int {
        get throws {
            let folder = "/proc/\(identifier)/"
            let exact = try? String(contentsOfFile: folder + "smaps_rollup", encoding: .utf8)
            let text = try exact ?? String(contentsOfFile: folder + "status", encoding: .utf8)
            let line = try #require(text.firstMatch(of: /(?:Anonymous|RssAnon):\s+(\d+) kB/))
            return try #require(Int(line.1))
        }
    }
}
