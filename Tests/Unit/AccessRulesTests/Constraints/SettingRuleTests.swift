import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats
@testable import Presigning

@Suite("Rules about settings, versions and checksums of parts")
struct SettingRuleTests {
    private static let yaml = """
        rules:
          - path: open/**
            allow: {authenticated: [get, write, multipart]}
          - path: up/**
            allow:
              authenticated: [get, write, multipart]
              group:plain: {actions: [write], set: {}, expires: {max: 1h}}
            read: {versions: true}
            write:
              checksum: sha256
              accept: [storageClass, tagging]
              set:
                serverSideEncryption: aws:kms
                kmsKeyId: alias/uploads
                cacheControl: no-store
                metadata: {origin: presign}
                tagging: {scan: pending}
        """

    /// A setting in one line: `storageClass=GLACIER`, `metadata.a=b`.
    private static func settings(_ lines: [String]) throws -> [UploadSetting] {
        try lines.map { line in
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0].split(separator: ".", maxSplits: 1).map(String.init)
            return try UploadSetting(
                try #require(UploadSetting.Name(rawValue: name[0])),
                entry: name.count > 1 ? Array(name[1].utf8) : nil, value: Array(parts[1].utf8))
        }
    }

    private static func decision(
        _ path: String, _ action: AccessAction = .write, step: MultipartStep? = nil, groups: [String] = [],
        with lines: [String] = [], _ declare: (inout PresignRequest) -> Void = { _ in }
    ) throws -> AccessDecision {
        var request = PolicyFixture.request(path, action, step: step, as: PolicyFixture.user("a", groups: groups))
        request.settings = try settings(lines)
        request.declare(.sha256)
        declare(&request)
        return try PolicyFixture.compile(yaml).policy.decision(for: request)
    }

    /// The fields of unmet limits; empty if the request is allowed.
    private static func unmet(_ decision: AccessDecision) -> [String] {
        switch decision {
        case .allowed: []
        case .denied: ["denied"]
        case .unmet(let unmet, _):
            unmet.map { $0.field + ($0.entry.map { "." + String(decoding: $0, as: UTF8.self) } ?? "") }
        }
    }

    @Test(
        "Settings that describe the content are accepted everywhere, the others where the rule names them",
        arguments: [
            ("open/a", "metadata.a=b", true), ("open/a", "cacheControl=no-store", true),
            ("open/a", "contentDisposition=inline", true), ("open/a", "contentEncoding=gzip", true),
            ("open/a", "contentLanguage=de", true), ("open/a", "storageClass=GLACIER", false),
            ("open/a", "tagging.a=b", false), ("open/a", "serverSideEncryption=AES256", false),
            ("open/a", "kmsKeyId=a", false), ("open/a", "acl=private", false), ("up/a", "acl=private", false),
            ("open/a", "acl=public-read", false), ("up/a", "storageClass=GLACIER", true), ("up/a", "tagging.a=b", true),
            ("up/a", "metadata.a=b", true),
            // The rule's own value may be repeated, also where callers do not choose.
            ("up/a", "serverSideEncryption=aws:kms", true), ("up/a", "tagging.scan=pending", true),
            ("up/a", "metadata.origin=presign", true), ("up/a", "serverSideEncryption=AES256", false),
            ("up/a", "kmsKeyId=alias/other", false), ("up/a", "cacheControl=max-age=60", false),
            ("up/a", "metadata.origin=me", false), ("up/a", "tagging.scan=done", false),
        ] as [(String, String, Bool)])
    func accepted(path: String, setting: String, isAccepted: Bool) throws {
        let field = String(setting.prefix { $0 != "=" })
        #expect(Self.unmet(try Self.decision(path, with: [setting])) == (isAccepted ? [] : [field]))
        let creation = try Self.decision(path, .multipart, step: .create, with: [setting])
        #expect(Self.unmet(creation) == (isAccepted ? [] : [field]))
    }

    @Test("The rule's settings are added once, to the requests that store settings")
    func added() throws {
        func added(_ action: AccessAction, _ step: MultipartStep? = nil, _ lines: [String] = []) throws -> [String] {
            guard case .allowed(let allowance) = try Self.decision("up/a", action, step: step, with: lines) else {
                return ["refused"]
            }
            return UploadSetting.headers(of: allowance.settings).map { "\($0.name): \($0.value)" }
        }
        let all = [
            "x-amz-meta-origin: presign", "cache-control: no-store", "x-amz-server-side-encryption: aws:kms",
            "x-amz-server-side-encryption-aws-kms-key-id: alias/uploads", "x-amz-tagging: scan=pending",
        ]
        #expect(try Set(added(.write)) == Set(all))
        #expect(try Set(added(.multipart, .create)) == Set(all))
        #expect(try added(.write, nil, ["cacheControl=no-store"]).count == all.count - 1)
        for step in MultipartStep.allCases where step != .create { #expect(try added(.multipart, step) == []) }
        #expect(try added(.get) == [])
    }

    @Test("A contradiction states the rule's value, and what does not fit with it names the limit")
    func descriptions() throws {
        guard case .unmet(let unmet, _) = try Self.decision("up/a", with: ["cacheControl=x"]) else {
            Issue.record("allowed")
            return
        }
        #expect(unmet.map(\.description) == ["must be `no-store`, which this rule sets; omit it"])
        let big = try Self.decision("up/a", with: ["metadata.a=" + String(repeating: "v", count: 2040)])
        #expect(Self.unmet(big) == ["metadata"])
        #expect(Self.unmet(try Self.decision("up/a", with: (0..<10).map { "tagging.t\($0)=" })) == ["tagging"])
        #expect(Self.unmet(try Self.decision("up/a", with: (0..<9).map { "tagging.t\($0)=" })) == [])
    }

    @Test("Of two grants, the one that sets less is the wider one")
    func widest() throws {
        guard case .allowed(let allowance) = try Self.decision("up/a", groups: ["plain"]) else {
            Issue.record("refused")
            return
        }
        #expect(allowance.settings.isEmpty && allowance.constraints.maximumExpiry == 3600)
    }

    @Test(
        "A required checksum applies to every part, and its algorithm to the creation",
        arguments: [
            (.create, nil, nil, nil), (.create, nil, .sha256, nil), (.create, .sha256, .crc32, "checksumAlgorithm"),
            (.part, .sha256, nil, nil), (.part, nil, nil, "checksum"), (.list, nil, nil, nil),
            (.complete, nil, nil, nil), (.abort, nil, nil, nil), (nil, nil, nil, nil),
        ] as [(MultipartStep?, ChecksumAlgorithm?, ChecksumAlgorithm?, String?)])
    func parts(
        step: MultipartStep?, checksum: ChecksumAlgorithm?, algorithm: ChecksumAlgorithm?, field: String?
    ) throws {
        let decision = try Self.decision("up/a", .multipart, step: step) {
            $0.declare(checksum)
            $0.checksumAlgorithm = algorithm?.name
        }
        #expect(Self.unmet(decision) == (field.map { [$0] } ?? []))
        if case .allowed(let allowance) = decision {
            let isAdded = step == .create && algorithm == nil
            #expect(allowance.checksumAlgorithm == (isAdded ? .sha256 : nil))
        }
    }

    @Test(
        "The order of grants does not decide whether a checksum algorithm is added",
        arguments: [
            "authenticated: {actions: [multipart], checksum: sha256}, group:plain: [multipart]",
            "group:plain: [multipart], authenticated: {actions: [multipart], checksum: sha256}",
        ])
    func checksumOrder(grants: String) throws {
        let policy = try PolicyFixture.compile("rules:\n  - {path: a/*, allow: {\(grants)}}").policy
        let caller = PolicyFixture.user("a", groups: ["plain"])
        let request = PolicyFixture.request("a/b", .multipart, step: .create, as: caller)
        guard case .allowed(let allowance) = policy.decision(for: request) else {
            Issue.record("refused")
            return
        }
        #expect(allowance.checksumAlgorithm == nil)
    }

    @Test("Versions are read where the rule allows it", arguments: [("open/a", ["versionId"]), ("up/a", [])])
    func versions(path: String, fields: [String]) throws {
        #expect(Self.unmet(try Self.decision(path, .get) { $0.versionId = "3" }) == fields)
        #expect(Self.unmet(try Self.decision(path, .get)) == [])
    }

    @Test(
        "Mistakes in `accept`, `set` and `versions` are reported with their key",
        arguments: [
            ("accept: [storageclass]", "write.accept[0]` must be one of", "storageClass"),
            ("accept: [cacheControl]", "write.accept[0]` must be one of", "tagging"),
            ("set: {cacheControl: \"é\"}", "write.set.cacheControl` must be printable ASCII", ""),
            ("set: {metadata: {\"a b\": x}}", "metadata.a b` has an invalid name", "letters"),
            ("set: {metadata: x}", "write.set.metadata` must be a mapping", ""),
            ("set: {serverSideEncryption: AES128}", "write.set.serverSideEncryption` must be AES256 or aws:kms", ""),
            ("set: {kmsKeyId: alias/a}", "write.set.kmsKeyId` requires `serverSideEncryption`", "aws:kms"),
            ("set: {tagging: {\"aws:a\": x}}", "tagging.aws:a` has a name that begins with", "reserved"),
            ("set: {acl: public-read-write}", "write.set.acl` must be private, public-read or bucket-owner", ""),
            (
                "set: {metadata: {X-Amz-Meta-A: x}}", "metadata.X-Amz-Meta-A` has a name that begins",
                "leave out the prefix"
            ),
            ("set: {contentDisposition: \"attachment; filename=é\"}", "contentDisposition` must be", "UTF-8''%C3%A9"),
            ("set: {contentType: image/png}", "unknown key `rules[0].write.set.contentType`", ""),
        ] as [(String, String, String)])
    func mistakes(write: String, start: String, rest: String) throws {
        let yaml = "rules:\n  - {path: a/*, allow: {everyone: [write]}, write: {\(write)}}"
        let error = #expect(throws: ConfigurationError.self) { _ = try PolicyFixture.compile(yaml) }
        let message = error?.message ?? ""
        #expect(message.contains(start) && message.contains(rest), "\(message)")
    }
}
