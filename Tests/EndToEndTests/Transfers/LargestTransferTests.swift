import Foundation
import TestSupport
import Testing

extension Transfers {
    @Suite("The largest transfers of presign.js")
    struct LargestTransferTests {
        @Test(
            "A file of 6 GB, more than one PUT can send, is uploaded through a pause",
            .enabled("runs with Tests/run.sh --long") { isLongRun },
            arguments: TransferScenario.Setting.present)
        func sixGigabytes(setting: TransferScenario.Setting) async throws {
            try await TransferScenario.run(in: setting) { scenario in
                let file = scenario.directory.appending(path: "large.bin")
                // Random blocks in an otherwise sparse file: misplaced parts change the digest.
                let script = """
                    truncate -s 6G "$0"
                    for block in $(seq 0 5 6143); do
                      head -c 4096 /dev/urandom | dd of="$0" bs=1M seek=$block conv=notrunc status=none
                    done
                    sha256sum "$0"
                    """
                let made = try await Command.run("/bin/bash", ["-c", script, file.path()])
                try await scenario.browser.run(
                    "document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'large' }))"
                )
                try await scenario.browser.type(file.path(), into: "#large")
                let parts: Int = try await scenario.run(
                    """
                    const transfer = presign.upload(document.getElementById('large').files[0], { path: 'a' });
                    await reaches(transfer, 1e9);
                    transfer.pause();
                    transfer.resume();
                    return Number((await transfer).etag.replaceAll('"', '').split('-')[1]);
                    """)
                #expect(parts == 1229)
                #expect(try await scenario.storedDigest("a") == String(made.output.prefix(64)))
                #expect(try await scenario.unfinishedUploads == 0)
            }
        }
    }
}
