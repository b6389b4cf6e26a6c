import Presigning
import Testing

/// R1 and R2: the method, and the default without one.
@Suite struct MethodTests {
    @Test("R1.1 GET signs GetObject and accepts only GET")
    func getSignsGetObject() throws {
        let url = try Fixture.sign(Fixture.request(AWSStorageGetURLOptions(method: .get)))
        let key = try Fixture.credentials()
        #expect(url.method == "GET")
        #expect(url.admits(method: "GET", headers: [], key: key))
        #expect(!url.admits(method: "PUT", headers: [], key: key))
    }

    @Test("R1.2 PUT signs PutObject and accepts only PUT")
    func putSignsPutObject() throws {
        let url = try Fixture.sign(Fixture.request(AWSStorageGetURLOptions(method: .put)))
        let key = try Fixture.credentials()
        #expect(url.method == "PUT")
        #expect(url.admits(method: "PUT", headers: [], key: key))
        #expect(!url.admits(method: "GET", headers: [], key: key))
        #expect(!url.admits(method: "DELETE", headers: [], key: key))
    }

    @Test("R1.3 The default method is GET")
    func absentMethodMeansGet() {
        #expect(AWSStorageGetURLOptions().method == .get)
    }

    @Test("R2.1 A request without options gives exactly the GET URL")
    func noOptions() throws {
        let url = try Fixture.sign(StorageGetURLRequest(path: Fixture.path))
        #expect(try url.bytes == Fixture.sign(Fixture.request(AWSStorageGetURLOptions(method: .get))).bytes)
    }

    @Test("R2.2 Options without a method give exactly the GET URL")
    func optionsWithoutMethod() throws {
        let url = try Fixture.sign(Fixture.request(AWSStorageGetURLOptions()))
        #expect(try url.bytes == Fixture.sign(Fixture.request(AWSStorageGetURLOptions(method: .get))).bytes)
    }

    @Test("R2.3 The request's own interface is unchanged: path and options, expires, bucket and pluginOptions")
    func interface() {
        let request = StorageGetURLRequest(path: "a")
        #expect(Mirror(reflecting: request).children.map(\.label) == ["path", "options"])
        #expect(Mirror(reflecting: request.options).children.map(\.label) == ["expires", "bucket", "pluginOptions"])
    }
}
