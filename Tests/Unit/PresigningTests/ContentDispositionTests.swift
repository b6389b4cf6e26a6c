import Testing

@testable import Presigning

@Suite("Content-Disposition with file names that are not ASCII")
struct ContentDispositionTests {
    static let spelled: [(value: String, fixed: String)] = [
        ("attachment; filename=\"文件.txt\"", "attachment; filename*=UTF-8''%E6%96%87%E4%BB%B6.txt"),
        ("attachment;filename=文.txt", "attachment; filename*=UTF-8''%E6%96%87.txt"),
        ("inline; FileName = \"é\" ; x=1", "inline; filename*=UTF-8''%C3%A9; x=1"),
        ("attachment; filename=\"a;\\\"é\\\\.txt\"", "attachment; filename*=UTF-8''a%3B%22%C3%A9%5C.txt"),
        ("attachment; filename=\"1976–2016 (1).txt\"", "attachment; filename*=UTF-8''1976%E2%80%932016%20%281%29.txt"),
        // The other notation has the same name already, or at least a name.
        ("attachment; filename=\"é\"; filename*=UTF-8''%C3%A9", "attachment; filename*=UTF-8''%C3%A9"),
        ("attachment; filename=\"e\"; filename*=UTF-8''é", "attachment; filename=\"e\"; filename*=UTF-8''%C3%A9"),
        ("attachment; filename*=utf-8'de'a%20é b", "attachment; filename*=UTF-8''a%20%C3%A9%20b"),
        ("attachment; filename*=é", "attachment; filename*=UTF-8''%C3%A9"),
        ("attachment; filename=\"😀'%.txt\"", "attachment; filename*=UTF-8''%F0%9F%98%80%27%25.txt"),
    ]

    @Test("The error spells the value to send, which is valid itself", arguments: spelled)
    func fix(value: String, fixed: String) throws {
        let error = #expect(throws: InvalidUploadSetting.self) {
            try UploadSetting(.contentDisposition, value: Array(value.utf8))
        }
        #expect(error?.reason == "must be printable ASCII; send `\(fixed)`")
        #expect(UploadSettingRules.flaw(ofHeader: Array(value.utf8), isDisposition: true) == error?.reason)
        #expect(throws: Never.self) { try UploadSetting(.contentDisposition, value: Array(fixed.utf8)) }
        let encoded = try #require(fixed.split(separator: "''").last).prefix { $0 != ";" }
        #expect(
            PercentEncoding.decode(Array(encoded.utf8)[...]).flatMap { String(validating: $0, as: UTF8.self) } != nil)
    }

    @Test(
        "What has no such value gets the general hint",
        arguments: [
            "attachment; filename=\"é", "é", "é; filename=\"é\"", "attachment; name=\"é\"",
            "attachment; filename*=iso-8859-1''é",
            "attachment; filename=\"é\r\nset-cookie: a\"", "attachment; filename=\"é\u{7f}\"",
            "attachment; x=é; filename=é",
            "attachment; filename=\"\(String(repeating: "é", count: 100))\"", "=é", ";é",
        ])
    func hint(value: String) {
        let flaw = UploadSettingRules.flaw(ofHeader: Array(value.utf8), isDisposition: true)
        #expect(
            flaw == "must be printable ASCII; write other file names as filename*=UTF-8''caf%C3%A9.txt")
    }

    @Test("A tab in a response header is spelled as a space")
    func tab() {
        let flaw = UploadSettingRules.flaw(ofHeader: Array("attachment;\tfilename=\"a\"".utf8), isDisposition: true)
        #expect(flaw == "must be printable ASCII; send `attachment; filename=\"a\"`")
    }

    @Test(
        "Other headers are printable ASCII, too",
        arguments: [("é", false), ("a\n", false), ("", false), (" ", false), ("a b~", true)])
    func others(value: String, isValid: Bool) {
        let flaw = UploadSettingRules.flaw(ofHeader: Array(value.utf8), isDisposition: false)
        #expect((flaw == nil) == isValid && flaw?.contains("filename") != true)
        #expect((UploadSettingRules.flaw(ofHeader: Array(value.utf8), isDisposition: true) == nil) == isValid)
    }
}
