import Foundation
import TestSupport
import Testing

/// A form as the service signs it.
struct SignedForm: Decodable, Sendable {
    let url: String
    var fields: [String: String]

    /// Sends the form with a file, as browsers do.
    func send(_ file: String) async throws -> HTTP.Response {
        let start = "--XyZ\r\nContent-Disposition: form-data; name="
        let parts = fields.map { "\(start)\"\($0.key)\"\r\n\r\n\($0.value)\r\n" }.joined()
        let head = "\(start)\"file\"; filename=\"x.html\"\r\nContent-Type: text/html\r\n\r\n"
        return try await HTTP.send(
            "POST", url, headers: ["Content-Type": "multipart/form-data; boundary=XyZ"],
            body: Data("\(parts)\(head)\(file)\r\n--XyZ--\r\n".utf8))
    }

    /// Returns the form with another value of a field, or without it.
    func changing(_ name: String, to value: String?) -> SignedForm {
        var changed = self
        changed.fields[name] = value
        return changed
    }
}

@Suite("HTML forms on real servers", .realParts)
struct FormTests {
    private static let rule = """
        {path: "*/forms/*", allow: {authenticated: [get, write]}, write: {types: [image/*], maxSize: 10, \
        accept: [tagging], set: {cacheControl: no-store}}}
        """
    /// SHA-256 of `abc` (FIPS 180-2 appendix B.1).
    private static let digest = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="

    /// OpenStack Swift has no forms.
    private static let kinds = StorageKind.present.filter { $0 != .swift }

    private static func run(on kind: StorageKind, _ body: (Scenario) async throws -> Void) async throws {
        let sections = #"cors: {origins: ["https://app.example"]}"#
        try await Scenario.run(on: kind, rules: [rule], sections: sections, body)
    }

    private static func form(
        _ scenario: Scenario, _ fields: [String: any Sendable] = [:]
    ) async throws -> SignedForm {
        let members: [String: any Sendable] = ["form": true, "contentType": "image/png"]
        let response = try await scenario.ask("POST", "forms/a b.png", members.merging(fields) { $1 })
        try #require(response.status == 200, "\(response.text)")
        return try JSONDecoder().decode(SignedForm.self, from: response.body)
    }

    @Test("A form stores a file of any size that the rule allows, with its type and settings", arguments: kinds)
    func accepted(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario in
            let form = try await Self.form(scenario, ["metadata": ["color": "red"]])
            for content in ["", "0123456789"] {
                let response = try await form.send(content)
                #expect(response.status == 201, "\(response.text)")
                #expect(try response.element("Key") == scenario.prefix + "forms/a b.png")
                let stored = try await scenario.get("forms/a b.png")
                #expect(stored.text == content && stored.headers["content-type"] == "image/png")
                #expect(stored.headers["cache-control"] == "no-store" && stored.headers["x-amz-meta-color"] == "red")
            }
            #expect(try await Self.form(scenario, ["checksumSHA256": Self.digest]).send("abc").status == 201)
            let redirecting = try await Self.form(scenario, ["successRedirect": "https://app.example/done"])
            let redirect = try await redirecting.send("x")
            #expect(redirect.status == 303)
            #expect(redirect.headers["location"]?.hasPrefix("https://app.example/done?bucket=") == true)
        }
    }

    @Test("Another field, size, content or time is refused, and nothing is stored", arguments: kinds)
    func refused(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario in
            let form = try await Self.form(scenario, ["checksumSHA256": Self.digest, "metadata": ["color": "red"]])
            let later = try await Self.form(scenario, ["contentLength": 3])
            var attempts = [
                ("larger", try await later.send("abcd")), ("smaller", try await later.send("ab")),
                ("beyond the rule", try await Self.form(scenario).send("01234567890")),
            ]
            for (name, value) in form.fields {
                attempts.append(("changed \(name)", try await form.changing(name, to: value + "x").send("abc")))
                attempts.append(("removed \(name)", try await form.changing(name, to: nil).send("abc")))
            }
            attempts.append(("content", try await form.send("abd")))
            for name in ["x-amz-acl", "x-amz-meta-other", "x-amz-tagging", "x-amz-storage-class"] {
                attempts.append(("added \(name)", try await form.changing(name, to: "1").send("abc")))
            }
            for (attempt, response) in attempts {
                #expect(400..<500 ~= response.status, "\(attempt): \(response.status) \(response.text)")
            }
            #expect(try await scenario.storage.keys(under: scenario.prefix) == [])
            let late = try await Self.form(scenario, ["expiresIn": 1])
            #expect(try await eventually { try await late.send("abcd").status == 403 })
            #expect(try await form.send("abc").status == 201)
            #expect(try await scenario.get("forms/a b.png").text == "abc")
        }
    }

    @Test("Added fields without a condition: the local storage refuses them, SeaweedFS does not", arguments: kinds)
    func added(kind: StorageKind) async throws {
        try await Self.run(on: kind) { scenario in
            let form = try await Self.form(scenario)
            for name in ["acl", "Content-Disposition", "Content-Encoding", "Content-Language", "unknown"] {
                let status = try await form.changing(name, to: "x").send("abc").status
                #expect(status == (kind == .local ? 403 : 201), "\(name)")
            }
            let redirect = form.changing("success_action_redirect", to: "https://evil.example/")
            #expect(try await redirect.send("abc").status == (kind == .local ? 403 : 303))
            // SeaweedFS refuses these fields, also with their conditions.
            for members: [String: any Sendable] in [["contentLanguage": "de"], ["tagging": ["a": "b"]]] {
                let status = try await Self.form(scenario, members).send("abc").status
                #expect(status == (kind == .local ? 201 : 403), "\(members)")
            }
        }
    }
}
