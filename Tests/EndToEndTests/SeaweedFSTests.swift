import Foundation
import Testing

/// Features of only one of the servers: temporary credentials, buckets as host names, CORS.
@Suite(
    "Temporary credentials, virtual hosts and CORS on SeaweedFS", .realParts,
    .enabled(if: StorageKind.present.contains(.seaweedfs), "needs PRESIGN_E2E_SEAWEEDFS; Tests/run.sh sets it"))
struct SeaweedFSTests {
    @Test("URLs signed with temporary credentials work only with their token")
    func sessionToken() async throws {
        let credentials = try StorageKind.seaweedfs.server.sessionCredentials
        try await Scenario.run(on: .seaweedfs, environment: credentials) { scenario in
            let upload = try await scenario.grant("PUT", "a", ["contentType": "text/plain"])
            #expect(upload.url.contains("X-Amz-Security-Token="))
            var stripped = upload
            let query = upload.url.split(separator: "&").filter { !$0.hasPrefix("X-Amz-Security-Token=") }
            stripped.url = query.joined(separator: "&")
            try #require(stripped.url != upload.url)
            #expect(try await stripped.send(Data("x".utf8)).status == 403)
            let uploaded = try await upload.send(Data("temporary".utf8))
            #expect(uploaded.status == 200, "\(uploaded.text)")
            let checked = try await scenario.grant("GET", "a", ["validateObjectExistence": true])
            #expect(try await checked.send().text == "temporary")
        }
    }

    @Test("A bucket in the host name is signed correctly")
    func virtualHost() async throws {
        let server = try StorageKind.seaweedfs.server
        let port = try #require(URL(string: try server.setting("ENDPOINT"))?.port)
        let domain = try server.setting("VIRTUAL_HOST_DOMAIN")
        let store = ["endpoint": "http://\(domain):\(port)", "addressing": "virtual"]
        try await Scenario.run(on: .seaweedfs, store: store) { scenario in
            let host = "\(try server.setting("BUCKET")).\(domain)"
            let upload = try await scenario.grant("PUT", "a b")
            #expect(upload.url.hasPrefix("http://\(host):\(port)/\(scenario.prefix)a%20b?"))
            #expect(try await upload.send(Data("by host".utf8)).status == 200)
            #expect(try await scenario.grant("GET", "a b").send().text == "by host")
        }
    }

    @Test("A browser's preflight for an upload URL succeeds from the bucket's origin")
    func preflight() async throws {
        try await Scenario.run(on: .seaweedfs) { scenario in
            let grant = try await scenario.grant("PUT", "a", ["contentType": "image/png"])
            let origin = "https://app.example"
            let response = try await HTTP.send(
                "OPTIONS", grant.url,
                headers: [
                    "Origin": origin, "Access-Control-Request-Method": "PUT",
                    "Access-Control-Request-Headers": "content-type",
                ])
            #expect(response.status == 200, "\(response.text)")
            #expect([origin, "*"].contains(response.headers["access-control-allow-origin"]))
            var browser = grant
            browser.headers["origin"] = origin
            let uploaded = try await browser.send(Data("png".utf8))
            #expect(uploaded.status == 200, "\(uploaded.text)")
            #expect([origin, "*"].contains(uploaded.headers["access-control-allow-origin"]))
        }
    }
}
