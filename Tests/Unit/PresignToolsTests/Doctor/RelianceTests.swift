import AccessRules
import DataFormats
import PresignService
import Presigning
import Testing

@testable import PresignTools

@Suite("The rules that rely on a guarantee")
struct RelianceTests {
    private static let rules = """
          - path: strict/**
            allow: {everyone: [read, write, multipart]}
            write: {types: [image/*], maxSize: 1m, checksum: sha256, overwrite: false, set: {metadata: {a: b}}}
            multipart: {partSize: 5m}
          - path: open/**
            allow: {everyone: [read, delete]}
          - path: grants/**
            allow: {guest: [get], authenticated: {actions: [write], maxSize: 1k, accept: [tagging]}}
        """

    /// The patterns of the rules, and their reasons.
    private static func reliances(on guarantee: Guarantee, store: String = "") throws -> [String] {
        let configuration = try DoctorFixture.configuration(rules, store: store)
        return configuration.reliances(on: guarantee, in: configuration.stores[0]).map {
            "\($0.rule.pattern) \($0.reason)"
        }
    }

    @Test(
        "Each guarantee",
        arguments: [
            (.put, ["strict/** write", "grants/** write"]), (.get, ["strict/** get", "open/** get", "grants/** get"]),
            (.delete, ["open/** delete"]), (.multipart, ["strict/** multipart"]), (.listing, []),
            (.contentType, ["strict/** types"]), (.size, ["strict/** maxSize", "grants/** maxSize"]),
            (.checksum, ["strict/** checksum"]), (.createOnly, ["strict/** overwrite: false"]),
            (.partSize, ["strict/** partSize"]), (.partChecksum, ["strict/** checksum"]),
            (.completeCreateOnly, ["strict/** overwrite: false"]), (.metadata, ["strict/** set: metadata"]),
            (.tagging, ["strict/** accept without tagging"]),
            (.copySource, ["strict/** write, multipart", "grants/** write"]),
            (.partCopySource, ["strict/** multipart"]),
            (.acl, ["strict/** write, multipart", "grants/** write"]), (.uploadID, []), (.missingObject, []),
            (.signature, ["strict/** get, list, write, multipart", "open/** get, list, delete", "grants/** get"]),
            (.form, []), (.formSize, ["grants/** maxSize, which lets callers get forms"]),
            (.formField, ["grants/** maxSize, which lets callers get forms"]), (.clock, []), (.preflight, []),
            (.totalSize, []), (.bucketList, []), (.publicEndpoint, []),
            (.signedEndpoint, ["strict/** get, list, write, multipart", "open/** get, list, delete", "grants/** get"]),
        ] as [(Guarantee, [String])])
    func reliances(guarantee: Guarantee, expected: [String]) throws {
        #expect(try Self.reliances(on: guarantee) == expected)
    }

    @Test("Settings of the store")
    func settings() throws {
        #expect(try Self.reliances(on: .missingObject, store: ", validateObjectExistence: true").count == 3)
        #expect(try Self.reliances(on: .publicEndpoint, store: ", validateObjectExistence: true").count == 3)
        #expect(try Self.reliances(on: .formSize, store: ", forms: false").isEmpty)
        #expect(try Self.reliances(on: .listing, store: ", listing: true") == ["strict/** list", "open/** list"])
        let lax = "\n  - {path: lax/**, allow: {everyone: [multipart]}}"
        let configuration = try DoctorFixture.configuration(Self.rules + lax)
        let found = configuration.reliances(on: .uploadID, in: configuration.stores[0])
        #expect(found.map(\.rule.pattern) == ["strict/**", "lax/**"] && found[0].rule.position.line == 6)
    }

    @Test(
        "Git LFS relies on the checksum, in the rules for its objects",
        arguments: [
            ("{}", ["strict/** checksum", "lfs/team/** lfs", "** lfs"]),
            ("{prefix: lfs/other}", ["strict/** checksum", "** lfs"]),
            ("{prefix: lfs/team}", ["strict/** checksum", "lfs/team/** lfs", "** lfs"]),
        ])
    func lfs(section: String, expected: [String]) throws {
        let more = """
              - {path: lfs/team/**, allow: {authenticated: [read, write]}}
              - {path: lfs, allow: {authenticated: [write]}}
              - {path: "lfs/**", allow: {authenticated: [read]}}
              - {path: "**", allow: {authenticated: [write]}}
            """
        let configuration = try DoctorFixture.configuration(Self.rules + "\n" + more, sections: "lfs: \(section)")
        let found = configuration.reliances(on: .checksum, in: configuration.stores[0])
        #expect(found.map { "\($0.rule.pattern) \($0.reason)" } == expected)
        #expect(configuration.reliances(on: .partChecksum, in: configuration.stores[0]).map(\.reason) == ["checksum"])
    }

    @Test("A finding names rule, line and remedy, in text and JSON")
    func finding() throws {
        let configuration = try DoctorFixture.configuration(Self.rules)
        let finding = Finding(
            store: "main", .createOnly, origin: nil, .notEnforced("accepted with 200"),
            configuration.reliances(on: .createOnly, in: configuration.stores[0]))
        #expect(finding.breaksRule)
        #expect(finding.text.contains("not enforced  create-only "))
        #expect(finding.text.contains("strict/** (c.yaml:6:11) relies on it: overwrite: false"))
        #expect(finding.text.contains("remedy: "))
        let json = String(decoding: finding.json, as: UTF8.self)
        #expect(
            json.hasPrefix(#"{"store":"main","check":"create-only","result":"not enforced","detail":"#)
                && json.hasSuffix(
                    #""reliedOnBy":[{"rule":"strict/**","file":"c.yaml","line":6,"reason":"overwrite: false"}]}"#),
            "\(json)")
        let holds = Finding(
            store: "main", .createOnly, origin: nil, .enforced("412"),
            configuration.reliances(on: .createOnly, in: configuration.stores[0]))
        #expect(!holds.breaksRule && !holds.leavesRuleUnchecked && !holds.text.contains("remedy"))
    }

    @Test("What was not checked leaves the rules unchecked that rely on it, and names them")
    func unchecked() throws {
        let configuration = try DoctorFixture.configuration(Self.rules)
        func finding(_ guarantee: Guarantee) -> Finding {
            Finding(
                store: "main", guarantee, origin: nil, .notPossible("it needs `put`"),
                configuration.reliances(on: guarantee, in: configuration.stores[0]))
        }
        let relied = finding(.createOnly)
        #expect(relied.leavesRuleUnchecked && !relied.breaksRule)
        #expect(relied.text.contains("strict/** (c.yaml:6:11) relies on it: overwrite: false"))
        #expect(String(decoding: relied.json, as: UTF8.self).contains(#""reliedOnBy":[{"rule":"strict/**""#))
        #expect(!finding(.totalSize).leavesRuleUnchecked && !finding(.bucketList).leavesRuleUnchecked)
    }

    @Test("What can be declared")
    func declarations() throws {
        let headers: Set<Guarantee> = [
            .signature, .copySource, .partCopySource, .acl, .metadata, .tagging,
        ]
        func declarations(_ found: Set<Guarantee>, _ store: String = "") throws -> [String] {
            let configuration = try DoctorFixture.configuration(Self.rules, store: store)
            return configuration.declaration(of: found, for: configuration.stores[0])
        }
        #expect(try declarations(headers) == ["unsignedHeaders: refused"])
        #expect(try declarations(headers.subtracting([.acl])).isEmpty)
        #expect(try declarations(headers, ", unsignedHeaders: refused").isEmpty)
        #expect(try declarations([.uploadID]) == ["uploadIds: bound"])
    }
}
