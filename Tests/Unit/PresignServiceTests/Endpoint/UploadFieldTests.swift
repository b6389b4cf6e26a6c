import Requests
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats
@testable import PresignService
@testable import Presigning

@Suite("Fields for settings of uploads, versions and checksums")
struct UploadFieldTests {
    /// The names of invalid fields; empty for a valid body.
    private static func failures(_ body: String, form: Bool = false) -> [String] {
        do throws(InvalidRequest) {
            _ = try selected(body, form: form)
            return []
        } catch {
            return error.errors.map { $0.field + ($0.entry.map { ".\($0)" } ?? "") }
        }
    }

    private static func fields(_ body: String, form: Bool = false) throws(InvalidRequest) -> PresignRequest {
        let bytes = Array(body.utf8)
        return form ? try PresignRequest(form: bytes[...]) : try PresignRequest(json: bytes[...])
    }

    private static func selected(_ body: String, form: Bool = false) throws(InvalidRequest) -> PresignRequest {
        var request = try fields(body, form: form)
        try request.selectOperation()
        return request
    }

    private static func headers(_ body: String, form: Bool = false) throws -> [String] {
        let request = try selected(body, form: form)
        return (request.headers + request.objectQuery).map { "\($0.name): \($0.value)" }.sorted()
    }

    @Test("JSON and a form sign the same headers")
    func signed() throws {
        let json = #"""
            {"path":"a","method":"PUT","metadata":{"owner":"alice","Step":"1"},"cacheControl":"no-cache",
             "contentDisposition":"inline","contentEncoding":"gzip","contentLanguage":"de",
             "storageClass":"STANDARD_IA","tagging":{"project":"a b"},"serverSideEncryption":"aws:kms",
             "kmsKeyId":"alias/a","contentLength":"5"}
            """#
        let form =
            "path=a&method=PUT&metadata.owner=alice&metadata.Step=1&cacheControl=no-cache&contentDisposition=inline"
            + "&contentEncoding=gzip&contentLanguage=de&storageClass=STANDARD_IA&tagging.project=a+b"
            + "&serverSideEncryption=aws:kms&kmsKeyId=alias/a&contentLength=5"
        let expected = [
            "cache-control: no-cache", "content-disposition: inline", "content-encoding: gzip", "content-language: de",
            "content-length: 5", "x-amz-meta-owner: alice", "x-amz-meta-step: 1",
            "x-amz-server-side-encryption-aws-kms-key-id: alias/a", "x-amz-server-side-encryption: aws:kms",
            "x-amz-storage-class: STANDARD_IA", "x-amz-tagging: project=a%20b",
        ]
        #expect(try Set(Self.headers(json)) == Set(expected))
        #expect(try Set(Self.headers(form, form: true)) == Set(expected))
    }

    @Test(
        "Options of one operation",
        arguments: [
            (#""method":"POST","checksumAlgorithm":"SHA256""#, ["x-amz-checksum-algorithm: SHA256"]),
            (#""method":"GET","checksumMode":"ENABLED""#, ["x-amz-checksum-mode: ENABLED"]),
            (#""method":"HEAD","versionId":"3/L4""#, ["versionId: 3/L4"]),
            (#""versionId":"null""#, ["versionId: null"]),
        ])
    func options(members: String, expected: [String]) throws {
        #expect(try Self.headers(#"{"path":"a",\#(members)}"#) == expected)
    }

    @Test(
        "Invalid values and combinations are named",
        arguments: [
            (#""method":"PUT","metadata":"x""#, ["metadata"]), (#""method":"PUT","metadata":null"#, ["metadata"]),
            (#""method":"PUT","metadata":{"a":1}"#, ["metadata.a"]),
            (#""method":"PUT","metadata":{"a":"é"}"#, ["metadata.a"]),
            (#""method":"PUT","metadata":{"A":"1","a":"2"}"#, ["metadata.a"]),
            (#""method":"PUT","tagging":{"a&b":"1"},"cacheControl":"\n""#, ["tagging.a&b", "cacheControl"]),
            (#""method":"PUT","storageClass":"A B""#, ["storageClass"]),
            (#""method":"PUT","storageClass":1"#, ["storageClass"]),
            (#""method":"PUT","kmsKeyId":"alias/a""#, ["kmsKeyId"]),
            (#""method":"PUT","serverSideEncryption":"AES256","kmsKeyId":"alias/a""#, ["kmsKeyId"]),
            (#""metadata":{"a":"b"},"cacheControl":"no-cache""#, ["metadata", "cacheControl"]),
            (#""method":"DELETE","storageClass":"GLACIER""#, ["storageClass"]),
            (#""method":"PUT","uploadId":"u","partNumber":1,"tagging":{"a":"b"}"#, ["tagging"]),
            (#""method":"POST","uploadId":"u","metadata":{"a":"b"}"#, ["metadata"]),
            (#""method":"PUT","checksumAlgorithm":"SHA256""#, ["checksumAlgorithm"]),
            (#""method":"POST","checksumAlgorithm":"sha256""#, ["checksumAlgorithm"]),
            (#""method":"PUT","checksumMode":"ENABLED""#, ["checksumMode"]),
            (#""checksumMode":"on""#, ["checksumMode"]),
            (#""method":"PUT","versionId":"1""#, ["versionId"]), (#""method":"DELETE","versionId":"1""#, ["versionId"]),
            (#""uploadId":"u","versionId":"1""#, ["versionId"]), (#""versionId":"""#, ["versionId"]),
            (#""versionId":"a\u0000""#, ["versionId"]),
        ] as [(String, [String])])
    func invalid(members: String, fields: [String]) {
        #expect(Self.failures(#"{"path":"a",\#(members)}"#) == fields)
    }

    @Test(
        "Forms name entries with a dot",
        arguments: [
            ("metadata=x", ["metadata"]), ("metadata.=x", ["metadata."]), ("metadata.a=%0A", ["metadata.a"]),
            ("metadata.a=", []),
            ("metadata.a=1&metadata.A=2", ["metadata.a"]), ("store.a=1", ["store.a"]),
            ("cacheControl.a=1", ["cacheControl.a"]),
            ("metadata.a.b=1", []), ("tagging.a=", []),
        ] as [(String, [String])])
    func forms(field: String, fields: [String]) {
        #expect(Self.failures("path=a&method=PUT&\(field)", form: true) == fields)
        // JSON has objects instead.
        let name = field.prefix { $0 != "=" }
        #expect(Self.failures(#"{"path":"a","method":"PUT","\#(name)":"\n"}"#).first == String(name))
    }

    @Test(
        "Digits in a JSON string are a number, and a JSON number may have a fraction of zeros or an exponent",
        arguments: [
            (#""60""#, 60), (#""0""#, 0), (#""604800""#, 604_800), (#""""#, nil), (#"" 60""#, nil), (#""060""#, nil),
            (#""+60""#, nil), (#""6e1""#, nil), (#""60.0""#, nil), (#""99999999999999999999""#, nil), ("true", nil),
            ("60.0", 60), ("60.000", 60), ("6e1", 60), ("6.0E+1", 60), ("600e-1", 60), ("-0.0", 0), ("60.5", nil),
            ("6e-1", nil), ("1e19", nil), ("9e999999999", nil), ("{\"a\":60}", nil), ("[60]", nil), ("null", nil),
        ] as [(String, Int64?)])
    func digits(value: String, number: Int64?) throws {
        for name in ["expiresIn", "contentLength", "partNumber"] {
            do throws(InvalidRequest) {
                let fields = try Self.fields(#"{"path":"a","\#(name)":\#(value)}"#)
                let found = [fields.expiresIn, fields.contentLength, fields.partNumber].compactMap(\.self)
                #expect(found == [number].compactMap(\.self))
            } catch {
                #expect(number == nil && error.errors.map(\.field) == [name])
            }
        }
    }

    @Test("What the rules add is signed too, and not twice")
    func added() throws {
        let yaml = """
            rules:
              - path: a
                allow: {guest: [write, multipart]}
                write: {checksum: sha256, overwrite: false, set: {cacheControl: no-cache, tagging: {scan: pending}}}
            """
        let policy = try PolicyFixture.compile(yaml).policy
        func signed(_ body: String) throws -> [String] {
            var request = try Self.selected(body)
            guard case .allowed(let allowance) = policy.decision(for: request) else { return ["refused"] }
            request.add(allowance)
            return request.headers.map { "\($0.name): \($0.value)" }.sorted()
        }
        let both = ["cache-control: no-cache", "x-amz-tagging: scan=pending"]
        let create = ["cache-control: no-cache", "x-amz-checksum-algorithm: SHA256", "x-amz-tagging: scan=pending"]
        #expect(try signed(#"{"path":"a","method":"POST"}"#) == create)
        #expect(try signed(#"{"path":"a","method":"POST","checksumAlgorithm":"SHA256"}"#) == create)
        #expect(try signed(#"{"path":"a","method":"POST","cacheControl":"no-cache"}"#) == create)
        #expect(try signed(#"{"path":"a","method":"POST","tagging":{"scan":"done"}}"#) == ["refused"])
        #expect(try signed(#"{"path":"a","method":"PUT","uploadId":"u","partNumber":1}"#) == ["refused"])
        let checksum = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
        #expect(
            try signed(#"{"path":"a","method":"PUT","checksumSHA256":"\#(checksum)"}"#)
                == ([both[0], "if-none-match: *", both[1], "x-amz-checksum-sha256: \(checksum)"]).sorted())
    }
}
