import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// nginx before a storage. It removes a path, and rewrites the host to that of the storage.
private enum StrippingProxy {
    /// Runs the body with the proxy's address.
    ///
    /// - Parameters:
    ///   - path: the path that is replaced, with slashes around it.
    ///   - replacement: what replaces it.
    static func run(
        before storage: String, replacing path: String, with replacement: String = "/",
        _ body: (String) async throws -> Void
    ) async throws {
        let location = "location \(path) { proxy_pass \(storage)\(replacement); }"
        try await Nginx.run(location: location) { port, _ in try await body("http://127.0.0.1:\(port)") }
    }
}

@Suite("A proxy that changes path and host before the storage", .realParts)
struct SignedEndpointTests {
    /// Runs the body with a proxy and a service that knows it. The other parameters are those of `Scenario.run`.
    private static func run(
        on kind: StorageKind, store: [String: String] = [:], rules: [String] = [], sections: String = "",
        _ body: (Scenario, String) async throws -> Void
    ) async throws {
        let endpoint = try kind.server.setting("ENDPOINT")
        try await StrippingProxy.run(before: endpoint, replacing: "/files/storage/") { address in
            let address = address + "/files/storage"
            let own = ["publicEndpoint": address, "signedEndpoint": endpoint].merging(store) { $1 }
            try await Scenario.run(on: kind, store: own, rules: rules, sections: sections) { scenario in
                try await body(scenario, address + "/")
            }
        }
    }

    @Test("Without `signedEndpoint` the storage refuses what the proxy sends", arguments: StorageKind.present)
    func unsigned(kind: StorageKind) async throws {
        let endpoint = try kind.server.setting("ENDPOINT")
        try await StrippingProxy.run(before: endpoint, replacing: "/files/storage/") { address in
            try await Scenario.run(on: kind, store: ["publicEndpoint": address + "/files/storage"]) { scenario in
                #expect(try await scenario.grant("PUT", "a").send(Data("x".utf8)).status == 403)
                let check = try await scenario.service.run(["check-config", scenario.service.configuration.path()])
                #expect(check.output.contains("publicEndpoint` has another path than `endpoint`"), "\(check)")
            }
        }
    }

    @Test("Objects, checks, listings, links and batches", arguments: StorageKind.present)
    func objects(kind: StorageKind) async throws {
        try await Self.run(on: kind, store: ["links": "true", "listing": "true"]) { scenario, address in
            try await scenario.put("content", at: "a b+c é.txt", ["contentType": "text/plain"])
            let get = try await scenario.grant("GET", "a b+c é.txt", ["validateObjectExistence": true])
            #expect(get.url.hasPrefix(address))
            #expect(try await get.send().text == "content")
            #expect(try await scenario.ask("GET", "missing", ["validateObjectExistence": true]).status == 404)
            #expect(try await scenario.grant("HEAD", "a b+c é.txt").send().status == 200)
            let key = ["Authorization": "Bearer \(scenario.service.apiKey)"]
            let service = "http://\(scenario.service.address)"
            let link = try await HTTP.send("GET", "\(service)/o/\(scenario.prefix)a%20b%2Bc%20%C3%A9.txt", headers: key)
            #expect(link.status == 307 && link.headers["location"]?.hasPrefix(address) == true, "\(link.headers)")
            let json = key.merging(["Content-Type": "application/json"]) { $1 }
            let list = try await HTTP.send(
                "POST", "\(service)/presign", headers: json, body: Data(#"{"prefix":"\#(scenario.prefix)"}"#.utf8))
            let listing = try JSONDecoder().decode(Listing.self, from: list.body)
            #expect(listing.url.hasPrefix(address))
            let keys = try await HTTP.send("GET", listing.url)
            #expect(keys.status == 200 && keys.text.contains("<Key>"), "\(keys.text)")
            let batch = try await HTTP.send(
                "POST", "\(service)/presign/batch", headers: json,
                body: Data(#"{"requests":[{"path":"\#(scenario.prefix)x"}]}"#.utf8))
            #expect(batch.status == 200 && batch.text.contains("\"\(address)"), "\(batch.text)")
            #expect(try await scenario.grant("DELETE", "a b+c é.txt").send().status == 204)
        }
    }

    private struct Listing: Decodable { let url: String }

    @Test("Multipart uploads", arguments: StorageKind.atLeast(.seaweedfs))
    func multipart(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario, address in
            let created = try await scenario.grant("POST", "big").send()
            let upload = try created.element("UploadId")
            let part = try await scenario.grant("PUT", "big", ["uploadId": upload, "partNumber": 1])
            #expect(part.url.hasPrefix(address))
            let stored = try await part.send(Data("part".utf8))
            let tag = try #require(stored.headers["etag"], "\(stored.text)")
            let list = "<Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part>"
            let completed = try await scenario.grant("POST", "big", ["uploadId": upload])
                .send(Data("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
            #expect(completed.status == 200, "\(completed.text)")
            #expect(try await scenario.get("big").text == "part")
        }
    }

    @Test("Forms", arguments: StorageKind.atLeast(.local).filter { $0 != .swift })
    func forms(kind: StorageKind) async throws {
        let rule = #"{path: "*/forms/*", allow: {authenticated: [get, write]}, write: {maxSize: 10}}"#
        try await Self.run(on: kind, rules: [rule]) { scenario, address in
            let asked = try await scenario.ask("POST", "forms/a", ["form": true, "contentType": "text/plain"])
            let form = try JSONDecoder().decode(SignedForm.self, from: asked.body)
            #expect(form.url.hasPrefix(address))
            #expect(try await form.send("file").status == 201)
            #expect(try await scenario.get("forms/a").text == "file")
        }
    }

    @Test("Share links and Git LFS", arguments: StorageKind.atLeast(.local))
    func doors(kind: StorageKind) async throws {
        let endpoint = try kind.server.setting("ENDPOINT")
        try await StrippingProxy.run(before: endpoint, replacing: "/s/") { address in
            let store = ["publicEndpoint": address + "/s", "signedEndpoint": endpoint]
            try await ShareLinkTests.run(on: kind, store: store) { scenario in
                try await scenario.put("shared", at: "shared/a")
                let link = try await scenario.share("GET", "shared/a")
                let redirect = try await HTTP.send("GET", link)
                #expect(redirect.headers["location"]?.hasPrefix(address + "/s/") == true, "\(redirect)")
                let followed = try await Command.run("/usr/bin/curl", ["-qfsSL", link])
                #expect(followed.output == "shared", "\(followed)")
            }
        }
        try await Self.run(on: kind, sections: "lfs: {prefix: lfs}") { scenario, address in
            let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            let body = #"{"operation":"upload","objects":[{"oid":"\#(digest)","size":3}]}"#
            let type = "application/vnd.git-lfs+json"
            let batch = try await HTTP.send(
                "POST", "http://\(scenario.service.address)/lfs/e2e/objects/batch",
                headers: [
                    "Authorization": "Bearer \(scenario.service.apiKey)", "Content-Type": type, "Accept": type,
                ], body: Data(body.utf8))
            #expect(batch.status == 200 && batch.text.contains(address), "\(batch.text)")
        }
    }

    @Test(
        "doctor finds that everything holds behind the proxy, and a wrong address",
        arguments: StorageKind.atLeast(.local))
    func doctor(kind: StorageKind) async throws {
        let server = try kind.server
        let endpoint = try server.setting("ENDPOINT")
        let store = [
            "bucket": try server.setting("BUCKET"), "region": try server.setting("REGION"), "endpoint": endpoint,
        ]
        try await StrippingProxy.run(before: endpoint, replacing: "/storage/") { address in
            let own = store.merging(["publicEndpoint": address + "/storage", "signedEndpoint": endpoint]) { $1 }
            try await DoctorScenario.run(store: own, environment: try server.credentials) { scenario in
                let findings = try await scenario.findings(status: 0)
                for check in ["put", "get", "listing", "public-endpoint", "signed-endpoint", "key", "multipart"] {
                    #expect(findings[check]?.result == "enforced", "\(String(describing: findings[check]))")
                }
                #expect(try await server.keys(under: scenario.prefix).isEmpty)
            }
            let wrong = own.merging(["signedEndpoint": "http://files.example.com"]) { $1 }
            try await DoctorScenario.run(store: wrong, environment: try server.credentials) { scenario in
                let findings = try await scenario.findings(status: 1)
                #expect(
                    findings["delete"]?.result == "not enforced" && findings["public-endpoint"]?.result != "enforced")
            }
        }
    }

    @Test("A bucket behind its own domain, directly and through a proxy", arguments: StorageKind.atLeast(.seaweedfs))
    func domain(kind: StorageKind) async throws {
        let server = try kind.server
        let bucket = "\(try server.setting("ENDPOINT"))/\(try server.setting("BUCKET"))"
        let direct = ["endpoint": bucket, "addressing": "domain", "listing": "true"]
        try await Scenario.run(on: kind, store: direct) { scenario in
            try await scenario.put("direct", at: "a")
            #expect(try await scenario.get("a").text == "direct")
            #expect(try await server.keys(under: scenario.prefix) == ["\(scenario.prefix)a"])
        }
        try await StrippingProxy.run(before: bucket, replacing: "/") { address in
            let own = direct.merging(["publicEndpoint": address, "signedEndpoint": bucket]) { $1 }
            try await Scenario.run(on: kind, store: own) { scenario in
                let grant = try await scenario.grant("PUT", "a")
                #expect(grant.url.hasPrefix("\(address)/\(scenario.prefix)a?"))
                #expect(try await grant.send(Data("x".utf8)).status == 200)
                #expect(try await server.keys(under: scenario.prefix) == ["\(scenario.prefix)a"])
            }
        }
    }

    /// The local storage responds 501 to what it takes for a download with the parameters of a listing.
    @Test("doctor recognizes an endpoint that names the bucket", arguments: StorageKind.present.filter { $0 != .local })
    func repeatedBucket(kind: StorageKind) async throws {
        let server = try kind.server
        let bucket = try server.setting("BUCKET")
        let store = [
            "bucket": bucket, "region": try server.setting("REGION"),
            "endpoint": "\(try server.setting("ENDPOINT"))/\(bucket)",
        ]
        try await DoctorScenario.run(store: store, environment: try server.credentials) { scenario in
            let listing = try #require(try await scenario.findings(status: 0)["listing"])
            #expect(
                listing.result == "not enforced" && listing.detail.contains("already names the bucket"), "\(listing)")
        }
    }
}
