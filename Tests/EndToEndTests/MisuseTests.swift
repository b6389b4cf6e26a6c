import Foundation
import Testing

/// Attempts to use an upload URL for something else.
enum Misuse: String, CaseIterable, Sendable {
    case anotherType, noType, anotherKey, anotherMethod, anotherExpiry, anotherSignature, noSignature, unsignedMetadata

    /// The upload as an attacker would send it; everything else stays as granted.
    func apply(to grant: Grant) -> Grant {
        var grant = grant
        switch self {
        case .anotherType: grant.headers["content-type"] = "text/html"
        case .noType: grant.headers["content-type"] = nil
        case .anotherKey: grant.url = grant.url.replacing("/target?", with: "/other?")
        case .anotherMethod: grant.method = "DELETE"
        case .anotherExpiry: grant.url = grant.url.replacing("X-Amz-Expires=600", with: "X-Amz-Expires=6000")
        case .anotherSignature: grant.url = grant.url.replacing("X-Amz-Signature=", with: "X-Amz-Signature=0")
        case .noSignature: grant.url = String(grant.url.prefix { $0 != "?" })
        case .unsignedMetadata: grant.headers["x-amz-meta-owner"] = "mallory"
        }
        return grant
    }
}

@Suite("Misuse of an upload URL is rejected by real servers", .realParts)
struct MisuseTests {
    @Test("Any other upload is rejected and stores nothing", arguments: StorageKind.present, Misuse.allCases)
    func refused(kind: StorageKind, misuse: Misuse) async throws {
        try await Scenario.run(on: kind) { scenario in
            let grant = try await scenario.grant("PUT", "target", ["contentType": "image/png", "expiresIn": 600])
            let misused = misuse.apply(to: grant)
            try #require(misused.url != grant.url || misused.headers != grant.headers || misused.method != grant.method)
            let response = try await misused.send(misused.method == "PUT" ? Data("x".utf8) : nil)
            // Swift does not even recognise an unsigned request as an S3 request.
            let expected = kind == .swift && misuse == .noSignature ? 400 : 403
            #expect(response.status == expected, "\(response.status) \(response.text)")
            #expect(try await scenario.storage.keys(under: scenario.prefix) == [])
            // The same URL works if used correctly, so the misuse was the reason.
            let rightly = try await grant.send(Data("x".utf8))
            #expect(rightly.status == 200, "\(rightly.text)")
        }
    }

    @Test("A download URL allows no upload", arguments: StorageKind.present)
    func downloadOnly(kind: StorageKind) async throws {
        try await Scenario.run(on: kind) { scenario in
            try await scenario.put("kept", at: "a")
            var grant = try await scenario.grant("GET", "a")
            grant.method = "PUT"
            #expect(try await grant.send(Data("changed".utf8)).status == 403)
            #expect(try await scenario.get("a").text == "kept")
        }
    }
}
