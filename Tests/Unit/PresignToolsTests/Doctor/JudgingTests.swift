import Presigning
import Testing

@testable import PresignTools

@Suite("Doctor's judgements of responses")
struct JudgingTests {
    private typealias Case = (replies: [Reply], result: Verdict.Result, detail: String)

    private static func reply(_ status: Int, _ code: String? = nil) -> Reply { DoctorFixture.reply(status, code) }
    private static let ok = reply(200)
    private static let denied = reply(403, "SignatureDoesNotMatch")
    private static let missing = reply(404, "NoSuchKey")

    private static func check(_ cases: [Case], _ judge: ([Reply]) -> Verdict) {
        for test in cases {
            let verdict = judge(test.replies)
            #expect(
                verdict == Verdict(result: test.result, detail: test.detail),
                "\(test.replies.map(\.summary)): \(verdict)")
        }
    }

    @Test("A change must be refused where the unchanged request succeeds")
    func refusal() {
        Self.check(
            [
                ([Self.ok, Self.denied], .enforced, "403 SignatureDoesNotMatch"),
                (
                    [Self.ok, Self.denied, Self.reply(400, "BadDigest")], .enforced,
                    "403 SignatureDoesNotMatch, 400 BadDigest"
                ),
                ([Self.ok, Self.denied, Self.denied], .enforced, "403 SignatureDoesNotMatch"),
                ([Self.ok, Self.denied, Self.ok], .notEnforced, "accepted with 200"),
                ([Self.ok, Self.reply(501, "NotImplemented")], .enforced, "501 NotImplemented"),
                ([Self.ok, Self.reply(503, "SlowDown")], .notPossible, "responded 503 SlowDown"),
                ([Self.ok, Self.reply(429)], .notPossible, "responded 429"),
                ([Self.ok, Self.reply(307)], .notPossible, "responded 307"),
                (
                    [Self.denied, Self.denied], .notPossible,
                    "the unchanged request is refused too: 403 SignatureDoesNotMatch"
                ),
                ([Self.ok], .notPossible, "no response"), ([], .notPossible, "no response"),
                // S3 reports the failure of a completion with 200.
                ([Self.ok, Self.reply(200, "InternalError")], .notPossible, "responded 200 InternalError"),
            ], Verdict.refusal)
    }

    @Test("A listing that is taken for a download shows that the endpoint names the bucket")
    func listing() {
        let listing = DoctorFixture.reply(200, body: Array("<?xml?><ListBucketResult/>".utf8))
        for reply in [listing, Self.denied, Self.reply(404), Self.reply(404, "NoSuchBucket")] {
            #expect(Verdict.listing(reply) == Verdict.success(of: reply))
        }
        // Some servers respond with a folder instead of an error.
        for reply in [Self.missing, Self.ok] {
            let verdict = Verdict.listing(reply)
            #expect(verdict.result == .notEnforced && verdict.detail.contains("already names the bucket"))
            let text = Finding(store: "main", .listing, origin: nil, verdict, []).text
            #expect(text.contains("remedy: remove the bucket from `endpoint`"), "\(text)")
            #expect(!text.contains("s3:ListBucket"), "\(text)")
        }
    }

    @Test("Without writing, a missing object is reported only to a valid signature")
    func denial() {
        Self.check(
            [
                ([Self.ok, Self.denied], .enforced, "403 SignatureDoesNotMatch"),
                ([Self.missing, Self.denied], .enforced, "403 SignatureDoesNotMatch"),
                ([Self.missing, Self.missing], .notEnforced, "accepted with 404 NoSuchKey"),
                ([Self.ok, Self.ok], .notEnforced, "accepted with 200"),
                ([Self.ok, Self.denied, Self.ok], .notEnforced, "accepted with 200"),
                ([Self.ok, Self.reply(405)], .notPossible, "responded 405"),
                (
                    [Self.denied, Self.denied], .notPossible,
                    "the unchanged request is refused too: 403 SignatureDoesNotMatch"
                ), ([], .notPossible, "no response"),
            ], Verdict.denial)
    }

    @Test("An unsigned header must be refused, or have no effect")
    func unsignedHeader() {
        let effect = DoctorFixture.reply(200, headers: ["x-amz-meta-doctor": "1"])
        Self.check(
            [
                ([Self.denied], .enforced, "403 SignatureDoesNotMatch"),
                ([Self.ok, Self.ok], .enforced, "accepted, but without effect"),
                ([Self.ok, Self.denied, Self.ok], .enforced, "accepted, but without effect"),
                (
                    [Self.ok, Self.denied], .notPossible,
                    "accepted with 200; whether it stored it is not readable: 403 SignatureDoesNotMatch"
                ),
                ([Self.ok, effect], .notEnforced, "accepted with 200, and it stored it"),
                ([Self.reply(500)], .notPossible, "responded 500"),
                ([], .notPossible, "no response"),
            ]
        ) { replies in
            Verdict.noEffect(in: replies, "stored it") { reply in
                reply.isSuccess ? reply.headers["x-amz-meta-doctor"] != nil : nil
            }
        }
    }

    @Test("An unsigned ACL must not publish the object")
    func privacy() {
        Self.check(
            [
                ([Self.denied], .enforced, "403 SignatureDoesNotMatch"),
                ([Self.ok, Self.reply(403), Self.reply(403)], .enforced, "accepted, but without effect"),
                ([Self.ok, Self.reply(403), Self.ok], .notEnforced, "accepted with 200, and it published the object"),
                ([Self.ok, Self.ok, Self.ok], .notEnforced, "accepted with 200, and every object is public already"),
                (
                    [Self.ok, Self.reply(403), Self.reply(500)], .notPossible,
                    "accepted with 200; whether it published the object is not readable: 500"
                ),
                ([], .notPossible, "no response"),
            ], Verdict.privacy)
    }

    @Test("A creation must not replace the object")
    func creation() throws {
        let mark = DoctorMark(at: DoctorFixture.time)
        let first = DoctorFixture.reply(200, body: mark.bytes(.first))
        let second = DoctorFixture.reply(200, body: mark.bytes(.second))
        let exists = Self.reply(412, "PreconditionFailed")
        Self.check(
            [
                (
                    [Self.ok, exists, Self.denied, first], .enforced,
                    "412 PreconditionFailed, 403 SignatureDoesNotMatch"
                ),
                ([Self.ok, Self.ok, Self.denied, second], .notEnforced, "accepted with 200"),
                ([Self.ok, exists, Self.ok, second], .notEnforced, "accepted with 200"),
                ([Self.ok, exists, Self.denied, second], .notEnforced, "refused, but the object has the new content"),
                ([Self.reply(501)], .notPossible, "the creation is refused: 501"), ([], .notPossible, "no response"),
            ], Verdict.creation)
    }

    @Test("Nothing is written unless it can be removed")
    func removal() {
        let gone = Self.reply(204)
        Self.check(
            [
                ([gone, Self.ok, gone, Self.missing], .enforced, "204"),
                ([Self.missing, Self.ok, gone, Self.reply(403)], .enforced, "204"),
                ([gone, Self.ok, gone, Self.ok], .notEnforced, "the object is still there"),
                ([gone, Self.ok, Self.reply(403), Self.ok], .notEnforced, "responded 403"),
                ([Self.reply(403, "AccessDenied")], .notEnforced, "responded 403 AccessDenied, so nothing was written"),
                ([gone, Self.reply(403)], .notPossible, "no object to delete: PUT responded 403"),
                ([], .notPossible, "no response"),
            ], Verdict.removal)
    }

    @Test(
        "The storage's clock",
        arguments: [
            ("Fri, 15 Jan 2027 08:00:00 GMT", Verdict.enforced("no difference")),
            ("Fri, 15 Jan 2027 08:00:30 GMT", .enforced("the storage is 30 s ahead")),
            (
                "Fri, 15 Jan 2027 07:59:29 GMT",
                .notEnforced("the storage is 31 s behind, so URLs expire too early or too late")
            ),
            ("tomorrow", .notPossible("the response has no Date")), (nil, .notPossible("the response has no Date")),
        ] as [(String?, Verdict)])
    func clock(date: String?, verdict: Verdict) {
        let headers = date.map { ["date": $0] } ?? [:]
        #expect(Verdict.clock([DoctorFixture.reply(404, headers: headers)]) == verdict)
    }

    @Test("The life of the session")
    func session() throws {
        func verdict(_ token: String?, _ seconds: Int?) throws -> Verdict {
            let end = seconds.map { DoctorFixture.time.advanced(bySeconds: $0) }
            let credentials = try DoctorFixture.credentials(token: token, expiration: end)
            return .session([credentials, try DoctorFixture.credentials()], lifetime: 3600, at: DoctorFixture.time)
        }
        #expect(try verdict(nil, nil) == .enforced("long-term credentials"))
        #expect(try verdict("t", nil).result == .notPossible)
        #expect(try verdict("t", 3600) == .enforced("the session ends in 3600 s, at 2027-01-15T09:00:00Z"))
        #expect(try verdict("t", 3599).result == .notEnforced)
    }

    @Test(
        "What validateObjectExistence does with a missing object",
        arguments: [
            (404, Verdict.Result.enforced, "validateObjectExistence then responds 404 key-not-found"),
            (403, .notEnforced, "responded 403; validateObjectExistence then responds 502 storage-denied"),
            (500, .notEnforced, "responded 500; validateObjectExistence then responds 502 storage-error"),
            (200, .notEnforced, "responded 200, so validateObjectExistence finds every object"),
        ])
    func missingObject(status: Int, result: Verdict.Result, detail: String) {
        #expect(Verdict.missingObject(Self.reply(status)) == Verdict(result: result, detail: detail))
    }

    @Test("Rights that are not needed")
    func rights() {
        Self.check(
            [
                ([Self.reply(403, "AccessDenied")], .enforced, "403 AccessDenied"),
                ([Self.reply(403), Self.ok], .notEnforced, "responded 200"),
                ([Self.reply(403), Self.missing], .notEnforced, "responded 404 NoSuchKey"),
                ([Self.reply(204)], .notPossible, "responded 204 with something else"),
                ([Self.reply(500)], .notPossible, "responded 500"), ([], .notPossible, "no response"),
            ]
        ) { Verdict.absentRight($0) { $0.status == 200 || $0.status == 404 } }
    }

    @Test("A code is taken from an error document only, and only as a name")
    func code() {
        #expect(Self.reply(403, "AccessDenied").code == "AccessDenied")
        #expect(Self.reply(403, "A&#27;[31m B").code == nil || Self.reply(403, "A&#x41; B").code == "AAB")
        #expect(DoctorFixture.reply(200, body: Array("<Other><Code>a</Code></Other>".utf8)).code == nil)
        #expect(DoctorFixture.reply(500, body: Array("<html>".utf8)).summary == "500")
    }
}
