import Foundation
import TestSupport
import Testing

/// What enforces each limit of a rule, for each way to write. The guide's table says the same.
@Suite("What enforces the limits of uploads")
struct EnforcementTests {
    private typealias Way = EnforcementCase.Way

    /// A limit and a way to write, on one server.
    struct Row: Sendable, CustomTestStringConvertible {
        let kind: StorageKind
        let test: EnforcementCase
        var testDescription: String { "\(kind), \(test.limit), \(test.way.rawValue)" }
    }

    static let rows = StorageKind.present.flatMap { kind in EnforcementCase.all.map { Row(kind: kind, test: $0) } }

    @Test(
        "Each attempt is refused by what the table names, and the request that meets the limit succeeds", .realParts,
        arguments: rows)
    func attempts(row: Row) async throws {
        let test = row.test
        try await Scenario.run(on: row.kind, rules: EnforcementCase.rules) { scenario in
            let path = "\(test.limit)/object"
            var fields = test.met
            if test.way == .part || test.way == .complete {
                fields["uploadId"] = try await Self.create(scenario, path, for: test)
            }
            if test.way == .part { fields["partNumber"] = 1 }
            let list = test.way == .complete ? try await Self.upload(scenario, path, fields) : ""
            if let refused = test.refused {
                let wish = fields.filter { test.met[$0.key] == nil }.merging(refused) { $1 }
                #expect(try await scenario.ask(Self.method(test.way), path, wish).status == 422)
            }
            let grant = try await scenario.grant(Self.method(test.way), path, fields)
            if let tampering = test.tampering {
                #expect(try await Self.send(grant, tampering, test, list).status == 403)
            }
            if let violation = test.violation, case .repetition = violation {
                try await Self.occupy(scenario, path)
                #expect(try await Self.send(grant, nil, test, list).status == 412)
                #expect(try await scenario.grant("DELETE", path).send().status == 204)
            } else if let violation = test.violation {
                let status = try await Self.send(grant, violation, test, list).status
                #expect((400...403).contains(status), "\(status)")
            }
            let response = try await Self.send(grant, nil, test, list)
            #expect(response.status == 200, "\(response.text)")
        }
    }

    @Test("The guide's table names exactly the tested enforcers")
    func guide() throws {
        let page = try #require(try MarkdownDocument.page("AccessRules.md"))
        let heading = try #require(page.headings.first { $0.title == "What enforces a limit" })
        let rows = page.section(heading).split(separator: "\n").filter {
            $0.hasPrefix("| `write.") || $0.hasPrefix("| `multipart.") || $0.hasPrefix("| `expires.")
        }
        #expect(rows.count >= 7)
        for row in rows {
            let cells = row.split(separator: "|", omittingEmptySubsequences: true).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            try #require(cells.count == 1 + Way.allCases.count, "\(row)")
            let key = try #require(cells[0].split(separator: "`").first.map(String.init))
            let limit = String(key.trimmingPrefix("write.").trimmingPrefix("multipart.").prefix { $0 != ":" })
            for (way, cell) in zip(Way.allCases, cells.dropFirst()) {
                let test = EnforcementCase.all.first { $0.limit == limit && $0.way == way }
                let expected = test?.enforcers.map(\.rawValue).joined(separator: ", ") ?? "–"
                #expect(cell == expected, "\(limit), \(way.rawValue)")
            }
        }
        for test in EnforcementCase.all {
            #expect(rows.contains { $0.contains(".\(test.limit)") || $0.contains(test.limit) })
        }
    }

    private static func method(_ way: EnforcementCase.Way) -> String {
        switch way {
        case .put, .part: "PUT"
        case .create, .complete: "POST"
        }
    }

    private static func create(
        _ scenario: Scenario, _ path: String, for test: EnforcementCase
    ) async throws -> String {
        let response = try await scenario.grant("POST", path).send()
        try #require(response.status == 200, "create: \(response.text)")
        return try response.element("UploadId")
    }

    /// Uploads the only part and returns the list that completes the upload.
    private static func upload(
        _ scenario: Scenario, _ path: String, _ fields: [String: any Sendable]
    ) async throws -> String {
        let response = try await scenario.grant("PUT", path, fields.merging(["partNumber": 1]) { $1 }).send(
            Data("abc".utf8))
        try #require(response.status == 200, "part: \(response.text)")
        let tag = try #require(response.headers["etag"])
        let part = "<Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag></Part>"
        return "<CompleteMultipartUpload>\(part)</CompleteMultipartUpload>"
    }

    /// Creates an object at the path with the storage's own credentials, whatever the limits of the rule.
    private static func occupy(_ scenario: Scenario, _ path: String) async throws {
        let arguments = [
            "url", "PUT", scenario.prefix + path, "--config", scenario.service.configuration.path(),
        ]
        let url = try await scenario.service.run(arguments).output.trimmingCharacters(in: .newlines)
        let response = try await HTTP.send("PUT", url, headers: [:], body: Data("first".utf8))
        try #require(response.status == 200, "\(response.text)")
    }

    private static func send(
        _ grant: Grant, _ tampering: EnforcementCase.Tampering?, _ test: EnforcementCase, _ list: String
    ) async throws -> HTTP.Response {
        var grant = grant
        var content = test.way == .complete ? list : test.way == .create ? nil : test.content
        switch tampering {
        case .header(let name, let value): grant.headers[name] = value
        case .content(let other): content = other
        case .url(let old, let new):
            try #require(grant.url.contains(old))
            grant.url = grant.url.replacing(old, with: new)
        case .repetition, nil: break
        }
        return try await grant.send(content.map { Data($0.utf8) })
    }
}
