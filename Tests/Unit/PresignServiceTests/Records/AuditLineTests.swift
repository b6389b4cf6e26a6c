import Requests
import Testing
import Text

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats
@testable import HTTP1
@testable import PresignService
@testable import Presigning
@testable import System
@testable import Telemetry

@Suite("Audit lines")
struct AuditLineTests {
    @Test("The subject is that of the token, and the client address that of the proxy header")
    func tokens() throws {
        let token = Caller.Token(
            issuerName: "i", issuer: Array("https://i".utf8), subject: Array("s".utf8), keyID: Array("k".utf8),
            tokenID: Array("j".utf8), expiry: 0)
        var record = RequestRecord(
            requestID: RequestID([0x61]), method: .post, path: [], peer: .ipv4(0x7F00_0001), started: .now())
        record.caller = Caller(token: token, identity: Array("id".utf8), groups: [], claims: [], isGuest: false)
        record.relayed = .ipv4(0x0102_0304)
        var configuration = AuditConfiguration()
        configuration.hashesIdentities = true
        var output = ByteBuffer()
        AuditLine(configuration: configuration, revision: "r").append(record, at: "t".utf8.span, to: &output)
        let line = output.bytes
        let value = try JSONValue(parsing: line)
        let expected = [
            "scheme": "jwt", "iss": "https://i", "kid": "k", "jti": "j", "peer": "127.0.0.1", "client": "1.2.3.4",
            "sub": "sha256:043a718774c572bd8a25adbeb1bfcd5c0256ae11cecf9f9c3f925d0e52beaf89",
        ]
        for (name, text) in expected { #expect(value[name]?.string == Array(text.utf8), "\(name)") }
        #expect(value["identity"]?.string?.starts(with: "sha256:".utf8) == true)
    }

    @Test("Only the groups through which the rule's grants matched are listed")
    func groups() throws {
        let compiled = try PolicyFixture.compile(
            "rules: [{path: \"t/{group}/*\", allow: {\"{group}\": [get], \"group:a\": [get], \"group:b\": [list]}}]")
        let request = PolicyFixture.request("t/c/f", as: PolicyFixture.user("u", groups: ["b", "c", "a", "d"]))
        let decision = compiled.policy.decision(for: request)
        #expect(compiled.policy.groups(reaching: request, by: decision) == [Array("c".utf8), Array("a".utf8)])
    }

    @Test("Any byte that a caller sends stays within one value of one line", arguments: 0...255 as ClosedRange<UInt8>)
    func injection(byte: UInt8) throws {
        let text = Array(#"","forged":"1"#.utf8) + [byte, byte, 0x5C, byte] + Array("\n{\"event\":\"x\"}\n".utf8)
        let valid = String(decoding: text, as: UTF8.self)
        var record = RequestRecord(
            requestID: RequestID([0x61]), method: .post, path: [], peer: nil, started: .now())
        record.request = PresignRequest(caller: .guest, action: .write, path: text, store: valid)
        record.request.contentType = valid
        (record.reason, record.groups) = (valid, [text, [byte]])
        record.end(status: 403, at: .now())
        record.caller = Caller(scheme: .jwt, identity: valid, groups: [valid])
        var output = ByteBuffer()
        AuditLine(configuration: .init(), revision: "r").append(record, at: "t".utf8.span, to: &output)
        let line = output.bytes
        #expect(line.count { $0 == 0x0A } == 1 && line.last == 0x0A && line.dropLast().allSatisfy { $0 >= 0x20 })
        let value = try JSONValue(parsing: line)
        #expect(value["forged"] == nil)
        for name in ["store", "key", "reason", "identity", "contentType"] {
            #expect(value[name]?.string == Array(valid.utf8), "\(name)")
        }
    }

    @Test(
        "An audit line with texts at and far above their limits is one valid line",
        arguments: [0, 199, 200, 201, 255, 256, 257, 1024, 1025, 100_000])
    func longTexts(count: Int) throws {
        // Each byte is escaped to six bytes.
        let bytes = [UInt8](repeating: 0x01, count: count)
        let text = String(decoding: bytes, as: UTF8.self)
        let token = Caller.Token(
            issuerName: text, issuer: bytes, subject: bytes, keyID: bytes, tokenID: bytes, expiry: .max)
        var record = RequestRecord(
            requestID: RequestID(Array(repeating: 0x61, count: 128)), method: .post, path: bytes,
            peer: .ipv6(.max, .max), started: .now())
        record.caller = Caller(token: token, identity: bytes, groups: [], claims: [], isGuest: false)
        record.relayed = .ipv6(.max, .max)
        record.request = PresignRequest(caller: .guest, action: .get, path: bytes, store: text)
        (record.request.contentType, record.request.contentLength, record.request.expiresIn) = (text, .max, .min)
        (record.code, record.reason, record.userAgent, record.item) = (.validation, text, bytes, .max)
        record.groups = Array(repeating: bytes, count: 40)
        record.unmet = Array(repeating: FieldFailure(text, text), count: 40)
        let url = PresignedURL(
            content: FinishedBytes([]), methodName: "GET", headers: [], expiresIn: .max,
            expiresAt: SigningTime(secondsSince1970: .max), stableFor: 0, limitedBy: .credentials)
        record.signed = .init(url, accessKeyID: text)
        record.end(status: 200, at: .now())
        var output = ByteBuffer()
        AuditLine(configuration: .init(), revision: text).append(record, at: "t".utf8.span, to: &output)
        let line = output.bytes
        #expect(line.count { $0 == 0x0A } == 1 && line.last == 0x0A)
        let value = try JSONValue(parsing: line, limits: JSONLimits(size: .max, depth: 8))
        #expect(value["reason"]?.string == bytes && value["accessKeyId"]?.string == bytes)
        #expect(value["contentType"]?.string?.count == min(count, 256))
        #expect(value["key"]?.string?.count == min(count, S3Limits.key))
    }

    @Test(
        "A request log line with texts at and far above their limits is one valid line",
        arguments: [0, 63, 64, 65, 255, 256, 257, 1024, 1025, 100_000])
    func longRequestLine(count: Int) throws {
        let bytes = [UInt8](repeating: 0x7F, count: count)
        var record = RequestRecord(
            requestID: RequestID(Array(repeating: 0x61, count: 128)),
            method: HTTPMethod(token: [UInt8](repeating: UInt8(ascii: "M"), count: 16).span), path: bytes,
            peer: .ipv6(.max, .max), started: .now())
        record.relayed = .ipv6(.max, .max)
        record.caller = Caller(scheme: .jwt, identity: String(decoding: bytes, as: UTF8.self), groups: [])
        record.request = PresignRequest(
            caller: .guest, action: .get, path: bytes, store: String(decoding: bytes, as: UTF8.self))
        record.reason = String(decoding: bytes, as: UTF8.self)
        var output = ByteBuffer()
        record.end(status: 599, at: .now())
        record.appendLine(at: "t".utf8.span, to: &output)
        let line = output.bytes
        #expect(line.count { $0 == 0x0A } == 1 && line.last == 0x0A)
        let value = try JSONValue(parsing: line, limits: JSONLimits(size: .max, depth: 8))
        #expect(value["reason"]?.string == bytes && value["path"]?.string?.count == min(count, 256))
        #expect(value["store"]?.string?.count == min(count, 64))
        #expect(value["key"]?.string?.count == min(count, S3Limits.key))
    }

    @Test(
        "The settings of the audit log are validated",
        arguments: [
            ("to: off", nil), ("to: stdout", nil), ("to: ./a", nil), ("to: /a/b", nil), ("to: \"unix:/a\"", nil),
            ("to: stdou", "must be off"), ("to: \"unix:a\"", "must be off"), ("to: /a/", "must be off"),
            ("to: on", "must be off"), ("hashKeys: yes", "true or false"), ("file: a", "unknown key"),
        ] as [(String, String?)])
    func settings(text: String, mistake: String?) {
        let yaml = "version: 1\nstores: {m: {bucket: acme-m, region: r}}\naudit: {\(text)}"
        do {
            _ = try ServiceConfiguration(parsing: Array(yaml.utf8), file: "c")
            #expect(mistake == nil)
        } catch {
            #expect(error.line == 3 && error.message.contains(mistake ?? "nothing"), "\(error)")
        }
    }
}
