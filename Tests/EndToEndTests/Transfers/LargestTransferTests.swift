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
                let digest = try await scenario.choose(mebibytes: 6 << 10)
                let parts: Int = try await scenario.run(
                    """
                    const transfer = presign.upload(chosenFile, { path: 'a' });
                    await reaches(transfer, 1e9);
                    transfer.pause();
                    transfer.resume();
                    return Number((await transfer).etag.replaceAll('"', '').split('-')[1]);
                    """)
                #expect(parts == 1229)
                #expect(try await scenario.storedDigest("a") == digest)
                #expect(try await scenario.unfinishedUploads == 0)
            }
        }
    }
}
