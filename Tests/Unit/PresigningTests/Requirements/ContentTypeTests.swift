import Presigning
import Testing

/// R3 and R4: the content type and the expiry of uploads.
@Suite struct ContentTypeTests {
    private let put = AWSStorageGetURLOptions(method: .put, contentType: "image/jpeg")

    @Test("R3.1 PUT with a content type signs it as a header the client must send")
    func putSignsTheContentType() throws {
        let url = try Fixture.sign(Fixture.request(put))
        #expect(url.parameter("X-Amz-SignedHeaders") == "content-type%3Bhost")
        #expect(url.headers.map(\.name) == ["content-type"])
        #expect(url.headers.map(\.value) == ["image/jpeg"])
    }

    @Test(
        "R3.2 An upload with another content type, or without one, is rejected",
        arguments: ["image/png", "image/jpegx", nil])
    func anotherTypeIsRefused(type: String?) throws {
        let url = try Fixture.sign(Fixture.request(put))
        let key = try Fixture.credentials()
        let headers = type.map { [(name: "Content-Type", value: $0)] } ?? []
        #expect(!url.admits(method: "PUT", headers: headers, key: key))
        #expect(url.admits(method: "PUT", headers: [(name: "Content-Type", value: "image/jpeg")], key: key))
    }

    @Test("R3.3 PUT without a content type leaves the choice to the client")
    func putWithoutContentType() throws {
        let url = try Fixture.sign(Fixture.request(AWSStorageGetURLOptions(method: .put)))
        #expect(url.parameter("X-Amz-SignedHeaders") == "host")
        #expect(url.headers.isEmpty)
    }

    @Test("R3.4 GET ignores a content type, even an invalid one", arguments: ["image/jpeg", "", "\u{e9}\n"])
    func getIgnoresIt(type: String) throws {
        let url = try Fixture.sign(Fixture.request(AWSStorageGetURLOptions(contentType: type)))
        #expect(try url.bytes == Fixture.sign(Fixture.request()).bytes)
    }

    @Test("R3.5 PUT with an invalid content type is rejected", arguments: ["", "  ", "image/\njpeg", "caf\u{e9}/x"])
    func unusableContentType(type: String) throws {
        let error = try #require(throws: StorageError.self) {
            try Fixture.sign(Fixture.request(AWSStorageGetURLOptions(method: .put, contentType: type)))
        }
        guard case .validation("contentType", _, _) = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test("R4.1 PUT uses the requested expiry", arguments: [1, 59, 900, 604_800])
    func expiryOnPut(seconds: Int) throws {
        let url = try Fixture.sign(Fixture.request(put, expires: seconds))
        #expect(url.parameter("X-Amz-Expires") == "\(seconds)")
        #expect(url.expiresIn == seconds)
        #expect(url.expiresAt == Fixture.time.advanced(bySeconds: seconds))
        #expect(url.limitedBy == nil)
    }

    @Test("R4.2 The default expiry is 18,000 seconds for GET and PUT", arguments: StorageAccessMethod.allCases)
    func defaultExpiry(method: StorageAccessMethod) throws {
        let url = try Fixture.sign(Fixture.request(AWSStorageGetURLOptions(method: method)))
        #expect(url.parameter("X-Amz-Expires") == "18000")
    }
}
