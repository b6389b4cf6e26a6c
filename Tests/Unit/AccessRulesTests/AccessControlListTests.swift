import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats
@testable import Presigning

@Suite("Access control lists in rules")
struct AccessControlListTests {
    private static let lists = [nil, "private", "public-read", "bucket-owner-full-control"]
    private static let accepts = [nil, [], ["tagging"], ["acl"], ["storageClass", "acl"]] as [[String]?]

    /// A way to upload an object.
    enum Door: CaseIterable {
        case put, form, create, lfs, shareCreation, shareUse, part, get

        var action: AccessAction { self == .get ? .get : [.create, .part].contains(self) ? .multipart : .write }
        var step: MultipartStep? { self == .create ? .create : self == .part ? .part : nil }
        /// Whether the client can send the header of a list.
        var carriesList: Bool { [.put, .form, .create].contains(self) }

        func declare(_ request: inout PresignRequest) {
            request.form = self == .form
            request.contentLength = 1
            request.isContentAddressed = self == .lfs
            if self == .shareCreation { request.share = .creation(.init()) }
            if self == .shareUse { request.share = .use(age: 1, remaining: 60) }
        }
    }

    /// All combinations of what a rule accepts and sets, and what a request asks for.
    @Test(
        "A list is signed only if the rule accepts the setting or sets the value, and never where it cannot be sent",
        arguments: Door.allCases)
    func signed(door: Door) throws {
        for (accept, set) in Self.accepts.flatMap({ accept in Self.lists.map { (accept, $0) } }) {
            let write =
                "maxSize: 1k" + (accept.map { ", accept: \($0)" } ?? "") + (set.map { ", set: {acl: \($0)}" } ?? "")
            let policy = try PolicyFixture.compile(
                "rules: [{path: a, allow: {authenticated: [get, write, multipart]}, write: {\(write)}, share: {write: 1d}}]"
            ).policy
            for asked in Self.lists {
                var request = PolicyFixture.request("a", door.action, step: door.step, as: PolicyFixture.user("a"))
                door.declare(&request)
                if let asked, door.carriesList {
                    request.settings = [try UploadSetting(.acl, value: Array(asked.utf8))]
                }
                let isAllowed =
                    if door.carriesList {
                        asked == nil || asked == set || (set == nil && accept?.contains("acl") == true)
                    } else {
                        set == nil || [.part, .get].contains(door)
                    }
                let context = Comment("\(write), \(asked ?? "none")")
                guard case .allowed(let allowance) = policy.decision(for: request) else {
                    #expect(!isAllowed, context)
                    continue
                }
                request.add(allowance)
                let signed = request.settings.filter { $0.name == .acl }.map {
                    String(decoding: $0.value, as: UTF8.self)
                }
                #expect(isAllowed && signed == (door.carriesList ? [set ?? asked].compactMap(\.self) : []), context)
            }
        }
    }

    @Test("A refusal names the setting", arguments: [Door.lfs, .shareCreation, .shareUse])
    func refusal(door: Door) throws {
        let policy = try PolicyFixture.compile(
            "rules: [{path: a, allow: {authenticated: [write]}, write: {set: {acl: private}}, share: {write: 1d}}]"
        ).policy
        var request = PolicyFixture.request("a", .write, as: PolicyFixture.user("a"))
        door.declare(&request)
        guard case .unmet(let unmet, _) = policy.decision(for: request) else {
            Issue.record("not refused by a limit")
            return
        }
        #expect(unmet.map(\.field) == ["acl"] && unmet[0].description.contains("share links and Git LFS"))
    }

    @Test(
        "Rules with which objects become public get a warning",
        arguments: [
            ("write: {accept: [acl]}", "accepts `acl`"), ("write: {accept: [tagging]}", nil),
            ("write: {accept: []}", nil),
            ("write: {set: {acl: public-read}}", "makes every upload public"),
            ("write: {accept: [acl], set: {acl: public-read}}", "makes every upload public"),
            ("write: {set: {acl: private}}", nil), ("write: {accept: [acl], set: {acl: private}}", nil),
            ("write: {set: {acl: bucket-owner-full-control}}", nil),
        ] as [(String, String?)])
    func warnings(limits: String, warning: String?) throws {
        let grants = ["{everyone: [write]}", "{everyone: {actions: [write], \(limits.dropFirst(8).dropLast())}}"]
        for (grant, own) in [(grants[0], ", " + limits), (grants[1], "")] {
            let found = try PolicyFixture.compile("rules: [{path: a/*, allow: \(grant)\(own)}]").warnings.map(\.message)
            #expect(found.count == (warning == nil ? 0 : 1), "\(found)")
            #expect(found.first?.contains(warning ?? "") ?? true, "\(found)")
            #expect(found.first?.contains("anyone can read a public object without a URL") ?? true)
        }
    }

    @Test("A grant that sets another list than its rule gets no warning of its own")
    func overridden() throws {
        let yaml = """
            rules:
              - path: a/*
                allow: {caller:k: {actions: [write], set: {acl: private}}, authenticated: [write]}
                write: {accept: [acl]}
            """
        let found = try PolicyFixture.compile(yaml).warnings.map(\.message)
        #expect(found.count == 1 && found[0].hasPrefix("`authenticated` accepts `acl`"), "\(found)")
    }

    @Test(
        "A `maxSize` that no PUT can have gets a warning without `multipart`",
        arguments: [
            ("{everyone: [write]}", "5g", nil), ("{everyone: [write]}", "5368709121", "`everyone`"),
            ("{everyone: [write]}", "6g", "6 GiB"), ("{everyone: [write, multipart]}", "6g", nil),
            ("{everyone: [get], authenticated: [write]}", "20480g", "`authenticated`"),
            ("{everyone: {actions: [write], maxSize: 1g}}", "6g", nil),
            ("{authenticated: [write], group:admins: [multipart]}", "6g", "`authenticated`"),
            ("{group:admins: [write], authenticated: [multipart]}", "6g", nil),
            ("{everyone: {actions: [write], maxSize: 7g}}", "1g", "7 GiB"),
        ] as [(String, String, String?)])
    func largeUploads(grants: String, size: String, warning: String?) throws {
        let yaml = "rules: [{path: a/*, allow: \(grants), write: {maxSize: \(size)}, multipart: {partSize: 5g}}]"
        let found = try PolicyFixture.compile(yaml).warnings.map(\.message).filter { $0.contains("in one PUT") }
        #expect(found.count == (warning == nil ? 0 : 1) && found.first?.contains(warning ?? "") ?? true, "\(found)")
    }
}
