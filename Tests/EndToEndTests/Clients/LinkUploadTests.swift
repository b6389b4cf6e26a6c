import Foundation
import Testing

@Suite("Uploads with plain links: clients that know one URL", .realParts, .pythonClients)
struct LinkUploadTests {
    private static let links = ["links": "true"]

    @Test(
        "curl uploads 3 MB with a password, with and without Expect, and a second time", arguments: StorageKind.present)
    func curl(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: Self.links) { scenario in
            let link = scenario.link("a b+c.bin")
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "file")
                for (byte, headers) in [(1, []), (2, ["Expect:"]), (3, ["X-Amz-Meta-A: b"])] as [(UInt8, [String])] {
                    let content = Data(repeating: byte, count: 3_000_000)
                    try content.write(to: file)
                    let put = try await scenario.curl(["-T", file.path()] + headers.flatMap { ["-H", $0] } + [link])
                    guard headers != ["X-Amz-Meta-A: b"] else {
                        #expect(put.hasPrefix("400 "), "\(put)")
                        continue
                    }
                    // With Expect the body goes only to the storage.
                    #expect(headers.isEmpty ? put == "200 3000000" : put.hasPrefix("200 "), "\(put)")
                    #expect(try await scenario.get("a b+c.bin").body == content)
                }
                let unknown = try await scenario.curl(["-T", "-", link], input: Data("x".utf8))
                #expect(unknown.hasPrefix("411 "), "\(unknown)")
            }
        }
    }

    @Test("requests uploads and downloads with a password", arguments: StorageKind.atLeast(.local))
    func requests(kind: StorageKind) async throws {
        try await Scenario.run(on: kind, store: Self.links) { scenario in
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "file")
                try Data(repeating: 7, count: 3_000_000).write(to: file)
                let output = try await Python.run(
                    "link_clients", ["requests", scenario.link("r"), file.path()],
                    environment: ["PRESIGN_KEY": scenario.service.apiKey])
                #expect(output == "200 200\n")
            }
        }
    }

    @Test(
        "The cache protocol of Nx: a miss, a hit, and a folder that may only be read",
        arguments: StorageKind.atLeast(.local))
    func nx(kind: StorageKind) async throws {
        let rule = #"{path: "*/readonly/**", allow: {authenticated: [get]}}"#
        try await Scenario.run(on: kind, store: Self.links, rules: [rule]) { scenario in
            let output = try await Python.run(
                "nx_cache", [scenario.link("cache"), scenario.link("readonly"), scenario.service.apiKey])
            #expect(
                output.split(separator: "\n") == [
                    "retrieve miss 404", "store stored 200", "retrieve hit 200", "store stored 200",
                    "read-only store not stored 403", "read-only retrieve miss 404",
                ], "\(output)")
        }
    }

    @Test("HEAD describes an object if the store checks existence, and says whether there is one")
    func head() async throws {
        let local = try #require(StorageKind.present.first { $0 == .local }, "needs PRESIGN_E2E_LOCAL")
        try await Scenario.run(on: local, store: ["links": "true", "validateObjectExistence": "true"]) { scenario in
            try await scenario.put("content", at: "a.txt", ["contentType": "text/csv"])
            let key = ["Authorization": "Bearer \(scenario.service.apiKey)"]
            let stored = try await HTTP.send(
                "HEAD", try await scenario.grant("HEAD", "a.txt").url)
            let found = try await HTTP.send("HEAD", scenario.link("a.txt"), headers: key)
            #expect(found.status == 200 && found.headers["location"] == nil)
            for name in ["content-length", "content-type", "etag", "last-modified"] {
                #expect(found.headers[name] == stored.headers[name] && found.headers[name] != nil, "\(name)")
            }
            #expect(try await HTTP.send("HEAD", scenario.link("b.txt"), headers: key).status == 404)
        }
    }
}

extension Scenario {
    /// The plain link of an object.
    func link(_ path: String) -> String {
        let escaped = path.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["/", ".", "-"])) ?? ""
        return "http://\(service.address)/o/\(prefix)\(escaped)"
    }

    /// Runs curl with the key as the password. Returns the status, a space, and the number of bytes sent.
    func curl(_ options: [String], input: Data? = nil, timeout: Int = 60) async throws -> String {
        let standing = [
            "-qsSL", "-o", "/dev/null", "-w", "%{http_code} %{size_upload}", "--max-time", "\(timeout)",
            "-u", "any:\(service.apiKey)",
        ]
        return try await Command.run("/usr/bin/curl", standing + options, input: input).output
    }
}
