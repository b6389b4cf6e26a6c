import Foundation
import PresignClient
import Testing

@Suite("PresignClient with real storages", .realParts)
struct PresignClientTests {
    /// The storages that the documentation of the product names.
    static let storages = StorageKind.present.filter { $0 != .swift }

    static func client(_ scenario: Scenario, _ folder: URL, timeout: TimeInterval = 60) throws -> PresignStorage {
        var configuration = PresignStorage.Configuration()
        configuration.stateFolder = folder.appending(path: "state")
        configuration.timeout = timeout
        let endpoint = try #require(URL(string: "http://\(scenario.service.address)"))
        return PresignStorage(endpoint: endpoint, configuration: configuration) {
            ["Authorization": "Bearer \(scenario.service.apiKey)"]
        }
    }

    @Test("every call of the table in the documentation", arguments: storages)
    func calls(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: ["listing": "true"]) { scenario in
            try await withTemporaryDirectory { folder in
                let storage = try Self.client(scenario, folder)
                let (small, large) = (scenario.prefix + "a b+c.txt", scenario.prefix + "sub/large")
                let options = StorageUploadOptions(metadata: ["album": "cats"], contentType: "text/plain")
                let data = Data("Hello".utf8)
                #expect(
                    try await storage.uploadData(path: .fromString(small), data: data, options: options).value == small)

                let url = try await storage.getURL(path: .fromString(small))
                let response = try await HTTP.send("GET", url.absoluteString)
                #expect(response.body == data && response.headers["content-type"] == "text/plain")
                #expect(response.headers["x-amz-meta-album"] == "cats")
                #expect(try await storage.downloadData(path: .fromString(small)).value == data)

                let file = try folder.file("large", size: 17_000_000)
                let upload = storage.uploadFile(
                    path: .fromString(large), local: file, options: .init(preventOverwrite: true))
                upload.pause()
                upload.resume()
                #expect(try await upload.value == large)
                let copy = folder.appending(path: "copy")
                try await storage.downloadFile(path: .fromString(large), local: copy).value
                #expect(try await copy.hasContent(of: file))
                await #expect(throws: StorageError.self) {
                    try await storage.uploadFile(
                        path: .fromString(large), local: file, options: .init(preventOverwrite: true)
                    ).value
                }

                let all = try await storage.list(path: .fromString(scenario.prefix))
                #expect(all.items.map(\.path) == [small, large] && all.items.map(\.size) == [5, 17_000_000])
                let page = try await storage.list(
                    path: .fromString(scenario.prefix), options: .init(subpathStrategy: .exclude))
                #expect(page.items.map(\.path) == [small] && page.excludedSubpaths == [scenario.prefix + "sub/"])

                for path in [small, large] { try await storage.remove(path: .fromString(path)) }
                do {
                    _ = try await storage.downloadData(path: .fromString(small)).value
                    Issue.record("downloaded")
                } catch StorageError.keyNotFound(let path, _, _, _) {
                    #expect(path == small)
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path() + "/state") == [])
            }
        }
    }

    @Test("a storage that does not respond in time gets the request again", arguments: storages.filter { $0 == .local })
    func stall(kind: StorageKind) async throws {
        try await UnreliableProxy.run(before: kind, ["stall=1"]) { proxy, scenario, folder in
            let storage = try Self.client(scenario, folder, timeout: 3)
            let path = scenario.prefix + "a"
            _ = try await storage.uploadData(path: .fromString(path), data: Data(count: 100_000)).value
            #expect(try proxy.requests.prefix(2).map(\.method) == ["PUT", "PUT"])
            try await storage.remove(path: .fromString(path))
        }
    }
}
