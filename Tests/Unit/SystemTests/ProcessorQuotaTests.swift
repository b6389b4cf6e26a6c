import Testing

@testable import System

@Suite("CPU quota of control groups")
struct ProcessorQuotaTests {
    struct Machine: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The content of `/proc/self/cgroup`.
        let groups: String
        /// Files below `/sys/fs/cgroup`.
        let files: [String: String]
        let processors: Int?
    }

    private static func versionOne(_ folder: String, _ quota: String, _ period: String = "100000") -> [String: String] {
        ["\(folder)/cpu.cfs_quota_us": quota + "\n", "\(folder)/cpu.cfs_period_us": period + "\n"]
    }

    static let machines: [Machine] = [
        Machine(testDescription: "no control groups", groups: "", files: [:], processors: nil),
        Machine(
            testDescription: "version 2, a container with half a processor", groups: "0::/\n",
            files: ["cpu.max": "50000 100000\n"], processors: 1),
        Machine(
            testDescription: "exactly two", groups: "0::/\n", files: ["cpu.max": "200000 100000\n"], processors: 2),
        Machine(
            testDescription: "a little more than two", groups: "0::/\n", files: ["cpu.max": "200001 100000\n"],
            processors: 3),
        Machine(
            testDescription: "another period", groups: "0::/\n", files: ["cpu.max": "35000 10000\n"], processors: 4),
        Machine(testDescription: "none", groups: "0::/\n", files: ["cpu.max": "max 100000\n"], processors: nil),
        Machine(testDescription: "the host's root has no file", groups: "0::/\n", files: [:], processors: nil),
        Machine(
            testDescription: "the unit's own limit", groups: "0::/system.slice/presign.service\n",
            files: ["system.slice/presign.service/cpu.max": "150000 100000\n"], processors: 2),
        Machine(
            testDescription: "the unit's slice has less", groups: "0::/system.slice/presign.service\n",
            files: [
                "system.slice/cpu.max": "100000 100000\n", "system.slice/presign.service/cpu.max": "800000 100000\n",
            ], processors: 1),
        Machine(
            testDescription: "the unit has less than its slice", groups: "0::/system.slice/presign.service\n",
            files: [
                "system.slice/cpu.max": "800000 100000\n", "system.slice/presign.service/cpu.max": "300000 100000\n",
                "other.slice/cpu.max": "1000 100000\n",
            ], processors: 3),
        Machine(
            testDescription: "moved out of its namespace", groups: "0::/../../other\n",
            files: ["cpu.max": "400000 100000\n"], processors: 4),
        Machine(
            testDescription: "version 1, a container that sees the host's path",
            groups: "12:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n0::/docker/abc\n",
            files: versionOne("cpu", "50000"), processors: 1),
        Machine(
            testDescription: "version 1, nested", groups: "4:cpuacct,cpu:/kubepods/pod/container\n",
            files: versionOne("cpu/kubepods", "-1").merging(versionOne("cpu/kubepods/pod", "250000")) { $1 }
                .merging(versionOne("cpu/kubepods/pod/container", "-1")) { $1 }, processors: 3),
        Machine(
            testDescription: "version 1, another controller", groups: "4:cpuset:/a\n",
            files: versionOne("cpu/a", "50000"), processors: nil),
        Machine(
            testDescription: "version 1, no quota", groups: "4:cpu:/\n", files: versionOne("cpu", "-1"),
            processors: nil),
        Machine(
            testDescription: "unreadable numbers", groups: "nonsense\n0::/\n4:cpu:/\n",
            files: ["cpu.max": "a b\n"].merging(versionOne("cpu", "50000", "0")) { $1 }, processors: nil),
    ]

    @Test("The quota is the smallest along the path, rounded up", arguments: machines)
    func quota(_ machine: Machine) {
        let read = { (path: String) -> String? in
            if path == "/proc/self/cgroup" { return machine.groups }
            let mount = "/sys/fs/cgroup/"
            return path.hasPrefix(mount) ? machine.files[String(path.dropFirst(mount.count))] : nil
        }
        #expect(ProcessorQuota.processors(read: read) == machine.processors)
        #expect(Processors.count(available: 64, read: read) == machine.processors ?? 64)
        #expect(Processors.count(available: 1, read: read) == 1)
    }

    @Test("This process may use at least one CPU") func here() {
        #expect(Processors.count >= 1)
    }
}
