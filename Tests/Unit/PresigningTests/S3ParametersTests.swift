import Presigning
import Testing

@testable import SigningVectors

@Suite struct S3ParametersTests {
    /// Botocore derived the headers and query of the vectors from the parameters; this module must derive the same.
    @Test(arguments: Vector.all)
    func derivesWhatTheVectorsSend(_ vector: Vector) throws {
        let parameters = try S3Parameters(vector.extra.mapValues(\.value))
        let task = try AWSS3StorageGetURLTask(
            vector.signingOperation(), key: .fromString(vector.key), in: S3Bucket(vector.endpointOptions()),
            expiresIn: vector.expiresIn, contentType: vector.contentType, headers: parameters.headers,
            query: parameters.query)
        var presigner = Presigner()
        let url = try task.url(with: vector.signer(), at: vector.time(), using: &presigner)
        #expect(ComparableURL(url.text) == ComparableURL(vector.expected.url))
    }

    @Test(
        "Unknown parameters and parameters of the wrong type are rejected",
        arguments: [
            ("contentDisposition", S3Parameters.Value.string("inline")), ("ContentLength", .string("5")),
            ("ContentLength", .integer(-1)), ("Expires", .string("tomorrow")), ("Expires", .integer(5)),
            ("Metadata", .string("a=b")), ("ACL", .map([:])), ("BucketKeyEnabled", .string("true")),
        ])
    func refuses(name: String, value: S3Parameters.Value) throws {
        let error = try #require(throws: StorageError.self) { try S3Parameters([name: value]) }
        guard case .validation(name, _, _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("Of several mistakes, the first by name is reported")
    func order() throws {
        for count in 2...9 {
            let names = (1...count).map { "Unknown\($0)" }
            let error = try #require(throws: StorageError.self) {
                try S3Parameters(Dictionary(uniqueKeysWithValues: names.map { ($0, .boolean(true)) }))
            }
            #expect("\(error)".contains("Unknown1"))
        }
    }

    @Test func writesBooleansAndDates() throws {
        let parameters = try S3Parameters([
            "BucketKeyEnabled": .boolean(true), "ObjectLockRetainUntilDate": .string("2030-06-01T14:00:00+02:00"),
        ])
        let values = Dictionary(uniqueKeysWithValues: parameters.headers.map { ($0.name, $0.value) })
        #expect(values["x-amz-server-side-encryption-bucket-key-enabled"] == "true")
        #expect(values["x-amz-object-lock-retain-until-date"] == "2030-06-01T12:00:00Z")
    }
}
