import Presigning
import Testing

/// Signing and validation report the same mistake of several.
@Suite struct RefusalOrderTests {
    /// Every combination of mistakes, one bit each.
    @Test(arguments: 0..<64)
    func signingAndValidationReportTheSameMistake(mistakes: Int) throws {
        func has(_ mistake: Int) -> Bool { mistakes >> mistake & 1 == 1 }
        let options = S3EndpointOptions(
            bucket: "media", region: "eu-west-1", endpoint: has(0) ? "http://127.0.0.1:9000" : nil)
        let task = AWSS3StorageGetURLTask(
            .uploadPart(partNumber: has(1) ? 0 : 1, uploadId: "u"), key: has(2) ? "" : "a", in: try S3Bucket(options),
            expiresIn: has(3) ? 0 : 60, headers: has(4) ? [(name: "host", value: "h")] : [],
            query: has(5) ? [(name: "uploadId", value: "v")] : [], useAccelerateEndpoint: true)
        let credentials = try Fixture.credentials()
        var presigner = Presigner()
        let checked = Result { () throws(StorageError) in try task.validate() }
        let signed = Result { () throws(StorageError) in
            _ = try task.url(with: credentials, at: Fixture.time, using: &presigner)
        }
        switch (checked, signed) {
        case (.success, .success): #expect(mistakes == 0)
        case (.failure(let first), .failure(let second)): #expect(mistakes > 0 && first == second)
        default: Issue.record("only one of signing and validation rejects the request")
        }
    }
}
