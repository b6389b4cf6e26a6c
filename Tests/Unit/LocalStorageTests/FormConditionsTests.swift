import TestSupport
import Testing

@testable import LocalStorage
@testable import Presigning
@testable import Text

@Suite("Conditions of a POST policy")
struct FormConditionsTests {
    private static let time = SigningTime(secondsSince1970: 1_700_000_000)

    private static func conditions(_ conditions: String, until: String = "2030-01-01T00:00:00.000Z") throws(S3Error)
        -> FormConditions
    {
        let document = #"{"expiration":"\#(until)","conditions":[\#(conditions)]}"#
        return try FormConditions(policy: Array(Base64.encode(Array(document.utf8)).utf8))
    }

    /// Whether a form with these fields meets the conditions.
    private static func accepts(_ conditions: String, _ fields: [String: String]) throws -> Bool {
        var form = PostForm()
        for (name, value) in fields { try form.add(Array(name.utf8), Array(value.utf8)) }
        do throws(S3Error) {
            try Self.conditions(conditions).check(form, to: Array("b".utf8), at: time)
            return true
        } catch {
            #expect(error.status == 403)
            return false
        }
    }

    @Test("Conditions compare values exactly or by their beginning, and ignore the case of names")
    func operators() throws {
        #expect(try Self.accepts(#"{"Key":"a"}"#, ["key": "a"]))
        #expect(try Self.accepts(#"["eq","$KEY","a"]"#, ["key": "a"]))
        #expect(try Self.accepts(#"["Starts-With","$key","a/"]"#, ["key": "a/b"]))
        #expect(try Self.accepts(#"["starts-with","$key",""]"#, ["key": "a"]))
        #expect(try Self.accepts(#"{"key":"a"},{"bucket":"b"}"#, ["key": "a"]))
        #expect(try !Self.accepts(#"{"Key":"a"}"#, ["key": "A"]))
        #expect(try !Self.accepts(#"{"key":"a"}"#, ["key": "ab"]))
        #expect(try !Self.accepts(#"["starts-with","$key","a/"]"#, ["key": "b/a/"]))
        #expect(try !Self.accepts(#"{"key":"a"},{"bucket":"c"}"#, ["key": "a"]))
        #expect(try !Self.accepts(#"{"key":"a"},{"acl":"private"}"#, ["key": "a"]))
        #expect(try !Self.accepts("", ["key": "a"]))
        #expect(try !Self.accepts(#"{"key":"e\u0301"}"#, ["key": "\u{e9}"]))
    }

    @Test("Several ranges of sizes are all in force")
    func ranges() throws {
        let none = try Self.conditions("")
        #expect(none.minimum == 0 && none.maximum == Int64(S3Limits.upload))
        let both = try Self.conditions(#"["content-length-range",1,9],["content-length-range",5,20]"#)
        #expect(both.minimum == 5 && both.maximum == 9)
    }

    @Test("The end is exclusive")
    func expiration() throws {
        let form = PostForm()
        let conditions = try Self.conditions("", until: Self.time.rfc3339Text)
        #expect(throws: S3Error.self) { try conditions.check(form, to: [], at: Self.time) }
        try conditions.check(form, to: [], at: Self.time.advanced(bySeconds: -1))
    }

    @Test(
        "Malformed documents are refused",
        arguments: [
            "1", #"["eq","key","a"]"#, #"["matches","$key","a"]"#, #"["eq","$key",1]"#, #"["eq","$key"]"#,
            #"{"key":1}"#, "{}", #"{"key":"a","bucket":"b"}"#, #"["content-length-range","1","2"]"#,
            #"["content-length-range",1.5,2]"#, "[]",
        ])
    func malformed(condition: String) throws {
        #expect(throws: S3Error.self) { try Self.conditions(condition) }
    }

    @Test("A document needs an expiration and conditions")
    func incomplete() throws {
        for document in [
            "", "{}", #"{"expiration":"2030-01-01T00:00:00Z"}"#, #"{"expiration":"soon","conditions":[]}"#,
        ] {
            let policy = Array(Base64.encode(Array(document.utf8)).utf8)
            #expect(throws: S3Error.self) { try FormConditions(policy: policy) }
        }
        #expect(throws: S3Error.self) { try FormConditions(policy: Array("!".utf8)) }
    }
}
