import Foundation
import TestSupport
import Testing

@Suite("Uploads and downloads on real servers", .realParts)
struct UploadTests {
    @Test(
        "A file uploaded with a PUT URL is downloaded unchanged with a GET URL, with its type",
        arguments: StorageKind.present)
    func roundTrip(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let grant = try await scenario.grant("PUT", "report.csv", ["contentType": "text/csv"])
            #expect(grant.headers == ["content-type": "text/csv"])
            #expect(grant.expiresIn == 18_000)
            let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
            let uploaded = try await grant.send(content)
            #expect(uploaded.status == 200, "\(uploaded.text)")
            let downloaded = try await scenario.get("report.csv")
            #expect(downloaded.status == 200)
            #expect(downloaded.body == content)
            #expect(downloaded.headers["content-type"] == "text/csv")
        }
    }

    @Test("HEAD and DELETE URLs work", arguments: StorageKind.present)
    func headAndDelete(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            try await scenario.put("12345", at: "a.txt")
            let head = try await scenario.grant("HEAD", "a.txt").send()
            #expect(head.status == 200)
            #expect(head.headers["content-length"] == "5")
            #expect(try await scenario.grant("DELETE", "a.txt").send().status == 204)
            #expect(try await scenario.get("a.txt").status == 404)
        }
    }

    @Test("A GET URL's overrides are in the response", arguments: StorageKind.present)
    func overrides(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            try await scenario.put("x", at: "a.txt")
            let disposition = "attachment; filename=\"a b+c.txt\""
            let response = try await scenario.grant(
                "GET", "a.txt", ["responseContentDisposition": disposition, "responseContentType": "text/x-odd"]
            ).send()
            #expect(response.status == 200, "\(response.text)")
            #expect(response.headers["content-disposition"] == disposition)
            #expect(response.headers["content-type"] == "text/x-odd")
        }
    }

    @Test("An expired URL is rejected", arguments: StorageKind.present)
    func expiry(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            try await scenario.put("x", at: "present")
            let upload = try await scenario.grant("PUT", "late", ["expiresIn": 1])
            let download = try await scenario.grant("GET", "present", ["expiresIn": 1])
            #expect(upload.expiresIn == 1)
            #expect(try await eventually { try await download.send().status == 403 })
            // It was signed earlier.
            #expect(try await upload.send(Data("x".utf8)).status == 403)
            #expect(try await scenario.get("late").status == 404)
        }
    }

    @Test("`presign url` signs offline URLs that the server accepts", arguments: StorageKind.present)
    func offline(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            let path = scenario.prefix + "offline file.txt"
            let config = ["--config", scenario.service.configuration.path()]
            let put = try await scenario.service.run(["url", "PUT", path, "--content-type", "text/plain"] + config)
            try #require(put.status == 0, "\(put.errors)")
            let url = put.output.trimmingCharacters(in: .newlines)
            let body = Data("signed offline".utf8)
            #expect(try await HTTP.send("PUT", url, headers: ["Content-Type": "image/png"], body: body).status == 403)
            #expect(try await HTTP.send("PUT", url, headers: ["Content-Type": "text/plain"], body: body).status == 200)
            let get = try await scenario.service.run(["url", path] + config)
            #expect(try await HTTP.send("GET", get.output.trimmingCharacters(in: .newlines)).body == body)
        }
    }
}
