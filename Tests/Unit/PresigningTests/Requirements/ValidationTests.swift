import Presigning
import Testing

/// R5 and R6: rejections before a URL is signed.
@Suite struct ValidationTests {
    private func refusedField(_ request: StorageGetURLRequest) throws -> String? {
        let error = try #require(throws: StorageError.self) { try Fixture.sign(request) }
        guard case .validation(let field, let description, let suggestion) = error else { return nil }
        #expect(!description.isEmpty && !suggestion.isEmpty)
        #expect(error.errorDescription.contains(field) && error.recoverySuggestion == suggestion)
        return field
    }

    @Test("R5.1 An empty path is rejected by name", arguments: StorageAccessMethod.allCases)
    func emptyPath(method: StorageAccessMethod) throws {
        #expect(try refusedField(Fixture.request(AWSStorageGetURLOptions(method: method), path: "")) == "path")
    }

    @Test(
        "R5.2 A zero, negative or too long expiry is rejected by name", arguments: [0, -1, 604_801, .min, .max],
        StorageAccessMethod.allCases)
    func expiry(seconds: Int, method: StorageAccessMethod) throws {
        let request = Fixture.request(AWSStorageGetURLOptions(method: method), expires: seconds)
        #expect(try refusedField(request) == "expiresIn")
    }

    @Test("R6.1 PUT skips the existence check")
    func putSkipsTheCheck() throws {
        let options = AWSStorageGetURLOptions(method: .put, validateObjectExistence: true)
        #expect(try Fixture.sign(Fixture.request(options)).method == "PUT")
    }

    @Test("R6.2 GET of an existing object returns the URL after one HEAD of the same key")
    func existingObject() throws {
        var heads: [PresignedURL] = []
        let url = try Fixture.sign(Fixture.request(AWSStorageGetURLOptions(validateObjectExistence: true))) { head in
            heads.append(head)
            return .exists
        }
        #expect(url.method == "GET")
        #expect(heads.map(\.method) == ["HEAD"])
        #expect(heads[0].text.hasPrefix("https://media.s3.eu-west-1.amazonaws.com/public/holiday%20snap.jpg?"))
        #expect(heads[0].admits(method: "HEAD", headers: [], key: try Fixture.credentials()))
    }

    @Test("R6.3 GET of a missing object fails with keyNotFound")
    func missingObject() throws {
        let request = Fixture.request(AWSStorageGetURLOptions(validateObjectExistence: true))
        let error = try #require(throws: StorageError.self) { try Fixture.sign(request) { _ in .notFound } }
        #expect(error == .keyNotFound(key: Fixture.path))
    }

    @Test("R6.4 A failed check returns no URL")
    func failedCheck() throws {
        let failure = StorageError.service(description: "No answer.", recoverySuggestion: "Try again.")
        let request = Fixture.request(AWSStorageGetURLOptions(validateObjectExistence: true))
        let error = try #require(throws: StorageError.self) {
            try Fixture.sign(request) { _ throws(StorageError) in throw failure }
        }
        #expect(error == failure)
    }

    @Test("R6.5 GET without the option sends no HEAD")
    func noCheckUnlessAsked() throws {
        #expect(try Fixture.sign(Fixture.request()).method == "GET")
    }

    @Test("R6.6 The HEAD can use an internal endpoint, with the version and customer key of the download")
    func internalEndpoint() throws {
        let task = AWSS3StorageGetURLTask(
            .getObject, key: Fixture.path, in: try Fixture.bucket(),
            headers: [
                (name: "X-Amz-Server-Side-Encryption-Customer-Algorithm", value: "AES256"),
                (name: "range", value: "bytes=0-1"),
            ],
            query: [(name: "versionId", value: "v1"), (name: "response-content-type", value: "text/plain")],
            validateObjectExistence: true)
        let inner = try S3Endpoint(
            S3EndpointOptions(bucket: "media", region: "eu-west-1", endpoint: "http://minio:9000"))
        var presigner = Presigner()
        let check = try task.existenceCheck(
            through: inner, with: Fixture.credentials(), at: Fixture.time, using: &presigner)
        let head = try #require(check)
        #expect(head.text.hasPrefix("http://minio:9000/media/public/holiday%20snap.jpg?"))
        #expect(head.headers.map(\.name) == ["x-amz-server-side-encryption-customer-algorithm"])
        #expect(head.parameter("versionId") == "v1" && head.parameter("response-content-type") == nil)
        let url = try task.url(with: Fixture.credentials(), at: Fixture.time, using: &presigner)
        #expect(url.text.hasPrefix("https://media.s3.eu-west-1.amazonaws.com/"))
    }
}
