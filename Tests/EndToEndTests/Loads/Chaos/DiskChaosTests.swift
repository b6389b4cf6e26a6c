import Foundation
import SocketTestSupport
import Testing

extension Loads.Chaos {
    @Suite("A full disk under the audit file")
    struct DiskChaos {
        private struct Line: Decodable { let event: String?, count: Int?, key: String? }

        @Test(
            "A device that is always full affects no caller, and is logged a few times, not for each line")
        func alwaysFull() async throws {
            try await Loads.serving(sections: "audit: {to: /dev/full}\n") { service in
                let load = try await Wrk.run(
                    "http://\(service.address)/presign", key: service.apiKey, connections: 16)
                #expect(load.isClean && load.granted > 500 / Loads.slowness, "\(load)")
                #expect(try service.hasLogged(#""event":"audit""#))
                let lines = try String(contentsOf: service.log, encoding: .utf8).split(separator: "\n").count
                #expect(lines < 20 * Loads.seconds, "\(lines) lines of diagnostics")
            }
        }

        @Test(
            "A full disk affects no caller; with space again every line is written or counted as dropped",
            .enabled("needs root that may mount a small file system") { try await mayMount })
        func fullDisk() async throws {
            try await withTemporaryDirectory { folder in
                let audit = folder.appending(path: "audit.log")
                // A file system in the service's own mount namespace, which ends with the process.
                let script = #"mount -t tmpfs -o size=64k presign '\#(folder.path())' && exec "$0" "$@""#
                try await Loads.serving(
                    sections: "audit: {to: \(audit.path())}\n",
                    wrapper: ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script]
                ) { service in
                    let seen = URL(filePath: "/proc/\(service.identifier)/root" + audit.path())
                    try await Self.ask(500, service)
                    try await Loads.Chaos.settles("the disk is full") { try service.hasLogged("they are buffered") }
                    // More than is kept in memory.
                    try await Self.ask(20_000, service)
                    #expect(try Data(contentsOf: seen).count <= 65536)
                    let room = try await Command.run(
                        "/usr/bin/nsenter",
                        [
                            "--mount=/proc/\(service.identifier)/ns/mnt", "mount", "-o", "remount,size=64m",
                            folder.path(),
                        ])
                    #expect(room.status == 0, "\(room)")
                    try await Loads.Chaos.settles("every line is accounted for") {
                        let lines = try Self.lines(of: seen)
                        return lines.count { $0.key != nil } + lines.compactMap(\.count).reduce(0, +) == 20_500
                    }
                    #expect(try Self.lines(of: seen).contains { $0.event == "audit_lines_dropped" })
                }
            }
        }

        /// Whether mounting is allowed; root in a container often lacks the permission.
        private static var mayMount: Bool {
            get async throws {
                let trial = ["--mount", "/bin/mount", "-t", "tmpfs", "presign", "/tmp"]
                guard geteuid() == 0 else { return false }
                return try await Command.run("/usr/bin/unshare", trial).status == 0
            }
        }

        /// Sends this many requests and expects a URL for each.
        private static func ask(_ count: Int, _ service: PresignProcess) async throws {
            let client = try RawClient(port: service.port)
            for _ in 0..<(count / 100) {
                for _ in 0..<100 { client.send(Loads.Chaos.request(service)) }
                for _ in 0..<100 { #expect(try client.response()?.status == 200) }
            }
        }

        /// The complete lines of a file, each of which must be JSON.
        private static func lines(of file: URL) throws -> [Line] {
            let data = try Data(contentsOf: file)
            guard let end = data.lastIndex(of: 0x0A) else { return [] }
            return try data[..<end].split(separator: 0x0A).map { try JSONDecoder().decode(Line.self, from: $0) }
        }
    }
}
