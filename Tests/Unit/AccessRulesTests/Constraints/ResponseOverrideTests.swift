import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport

@Suite("Response overrides")
struct ResponseOverrideTests {
    private static let yaml = """
        rules:
          - {path: default/*, allow: {everyone: [get]}}
          - {path: any/*, allow: {everyone: [get]}, read: {overrides: any}}
          - path: none/*
            allow: {everyone: [get], group:desk: {actions: [get], overrides: any}}
            read: {overrides: none}
        """

    private func unmet(
        _ path: String, _ overrides: [ResponseOverride: String], as caller: Caller = .guest
    ) throws -> [String] {
        var request = PolicyFixture.request(path, as: caller)
        request.responseOverrides = overrides.map { ($0.key, Array($0.value.utf8)) }
        switch try PolicyFixture.compile(Self.yaml).policy.decision(for: request) {
        case .allowed: return []
        case .unmet(let unmet, _): return unmet.map(\.field)
        case .denied(let denial): return [denial.reason.code]
        }
    }

    @Test(
        "A content type override needs a disposition of type `attachment`",
        arguments: [
            ("attachment", true), ("ATTACHMENT", true), ("attachment; filename=\"a.png\"", true),
            ("attachment;filename=a", true), ("attachment  ; filename=a", true), ("attachment ", true),
            ("inline", false), ("attachmentx", false), ("attachmen", false), (" attachment", false), ("", false),
            ("attachment inline", false), ("attachment,inline", false), ("inline; attachment", false),
            ("attachment\t", false), ("attachment\u{301}", false), ("\u{FF41}ttachment", false),
            ("attach\u{0}ment", false), ("a\u{54}\u{54}achment", true), ("\u{1}ttachment", false),
        ])
    func dispositions(disposition: String, isAdmitted: Bool) throws {
        let names = try unmet("default/f", [.contentType: "text/html", .contentDisposition: disposition])
        #expect(names == (isAdmitted ? [] : ["responseContentType", "responseContentDisposition"]))
        #expect(
            try unmet("default/f", [.contentDisposition: disposition])
                == (isAdmitted ? [] : ["responseContentDisposition"]))
    }

    @Test("Without a disposition, overrides that could relabel the content are rejected")
    func withoutDisposition() throws {
        #expect(try unmet("default/f", [.contentType: "image/png"]) == ["responseContentType"])
        #expect(try unmet("default/f", [.contentEncoding: "gzip"]) == ["responseContentEncoding"])
        #expect(try unmet("default/f", [.contentLanguage: "de", .cacheControl: "no-store", .expires: "0"]) == [])
    }

    @Test("`none` rejects every override, `any` accepts every override")
    func extremes() throws {
        for override in ResponseOverride.allCases {
            #expect(try unmet("none/f", [override: "attachment"]) == [override.rawValue])
            #expect(try unmet("any/f", [override: "inline"]) == [])
        }
        #expect(try unmet("none/f", [:]) == [])
    }

    @Test("A grant's own `overrides` replaces the rule's")
    func grant() throws {
        let desk = PolicyFixture.user("a", groups: ["desk"])
        #expect(try unmet("none/f", [.contentType: "text/html"], as: desk) == [])
        let other = PolicyFixture.user("a")
        #expect(try unmet("none/f", [.contentType: "text/html"], as: other) == ["responseContentType"])
    }
}
