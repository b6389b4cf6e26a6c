import Testing

@testable import Presigning

@Suite("Settings of an upload")
struct UploadSettingTests {
    private static func setting(
        _ name: UploadSetting.Name, _ value: String, entry: String? = nil
    ) throws(InvalidUploadSetting) -> UploadSetting {
        try UploadSetting(name, entry: entry.map { Array($0.utf8) }, value: Array(value.utf8))
    }

    @Test(
        "A valid setting becomes one header",
        arguments: [
            (.metadata, "owner", "a caller", "x-amz-meta-owner"),
            (.metadata, "Mixed-Case_1", "x", "x-amz-meta-mixed-case_1"),
            (.cacheControl, nil, "max-age=60, private", "cache-control"),
            (.contentDisposition, nil, "attachment; filename=\"a b.txt\"", "content-disposition"),
            (.contentEncoding, nil, "gzip", "content-encoding"), (.contentLanguage, nil, "de, en", "content-language"),
            (.storageClass, nil, "STANDARD_IA", "x-amz-storage-class"),
            (.storageClass, nil, String(repeating: "c", count: 64), "x-amz-storage-class"),
            (.serverSideEncryption, nil, "AES256", "x-amz-server-side-encryption"),
            (.serverSideEncryption, nil, "aws:kms", "x-amz-server-side-encryption"),
            (
                .kmsKeyId, nil, "arn:aws:kms:eu-west-1:111122223333:key/a-b",
                "x-amz-server-side-encryption-aws-kms-key-id"
            ), (.acl, nil, "private", "x-amz-acl"), (.acl, nil, "public-read", "x-amz-acl"),
            (.acl, nil, "bucket-owner-full-control", "x-amz-acl"),
            (.metadata, "x-amz-meta", "x", "x-amz-meta-x-amz-meta"),
            (.metadata, "x-amz-acl", "x", "x-amz-meta-x-amz-acl"),
        ] as [(UploadSetting.Name, String?, String, String)])
    func headers(name: UploadSetting.Name, entry: String?, value: String, header: String) throws {
        let headers = UploadSetting.headers(of: [try Self.setting(name, value, entry: entry)])
        #expect(headers.map(\.name) == [header] && headers.map(\.value) == [value])
        // The core accepts every header without changing it.
        #expect(try SignedHeaders(headers).headers.map(\.value) == [value])
    }

    @Test("All tags share one header, percent-encoded")
    func tags() throws {
        let tags = [
            try Self.setting(.tagging, "alpha beta", entry: "project"), try Self.setting(.tagging, "", entry: "ünï+@"),
            try Self.setting(.tagging, "a=b/c", entry: "x:y"),
        ]
        let headers = UploadSetting.headers(of: tags)
        #expect(headers.map(\.name) == ["x-amz-tagging"])
        #expect(headers.map(\.value) == ["project=alpha%20beta&%C3%BCn%C3%AF%2B%40=&x%3Ay=a%3Db%2Fc"])
    }

    @Test(
        "An invalid setting states what is allowed",
        arguments: [
            (.metadata, "", "x", "invalid name"), (.metadata, "a b", "x", "invalid name"),
            (.metadata, "ü", "x", "invalid name"), (.metadata, "a:", "x", "invalid name"),
            (.metadata, "x-amz-meta-a", "x", "leave out the prefix"),
            (.metadata, "X-Amz-Meta-A", "x", "leave out the prefix"),
            (.metadata, "x-amz-meta-", "x", "leave out the prefix"),
            (.metadata, "x-amz-meta-x-amz-meta-a", "x", "leave out the prefix"),
            (.metadata, "x-amz-meta-a b", "x", "leave out the prefix"),
            (.metadata, "a", "é", "Base64"), (.metadata, "a", "x\r\ny: z", "printable ASCII"),
            (.cacheControl, nil, "", "must not be empty"), (.contentDisposition, nil, "\"é\"", "filename*=UTF-8"),
            (.contentEncoding, nil, "a\n", "printable ASCII"), (.contentLanguage, nil, " \t", "must not be empty"),
            (.storageClass, nil, "", "STANDARD_IA"), (.storageClass, nil, "A B", "STANDARD_IA"),
            (.storageClass, nil, String(repeating: "c", count: 65), "STANDARD_IA"),
            (.serverSideEncryption, nil, "aes256", "AES256 or aws:kms"),
            (.serverSideEncryption, nil, "aws:kms:dsse", "SSE-C"), (.kmsKeyId, nil, "", "KMS key"),
            (.kmsKeyId, nil, "a b", "KMS key"), (.tagging, "", "x", "1 to 128"),
            (.tagging, String(repeating: "ü", count: 129), "x", "1 to 128"),
            (.tagging, "a", String(repeating: "ü", count: 257), "at most 256"), (.tagging, "AWS:x", "1", "reserved"),
            (.tagging, "a&b", "1", "letters, digits, spaces and + - = . _ : / @"), (.tagging, "a", "x\n", "1 to 128"),
            (.tagging, "a", "<b>", "at most 256 characters: letters, digits, spaces and + - = . _ : / @"),
            (.acl, nil, "", "private, public-read or bucket-owner-full-control"),
            (.acl, nil, "public-read-write", "private, public-read or bucket-owner-full-control"),
            (.acl, nil, "authenticated-read", "private, public-read or"),
            (.acl, nil, "Public-Read", "private, public-read"),
            (.acl, nil, "bucket-owner-read", "bucket-owner-full-control"), (.acl, nil, "aws-exec-read", "private"),
            (.acl, nil, "log-delivery-write", "private"), (.acl, nil, "public-read\n", "private"),
            (.acl, nil, "public-read,private", "private"), (.acl, nil, "id=\"a\"", "private"),
        ] as [(UploadSetting.Name, String?, String, String)])
    func invalid(name: UploadSetting.Name, entry: String?, value: String, reason: String) throws {
        let error = #expect(throws: InvalidUploadSetting.self) { _ = try Self.setting(name, value, entry: entry) }
        #expect(error?.name == name && error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test("A form names the field of an access control list as S3 does")
    func formField() throws {
        let fields = UploadSetting.formFields(of: [
            try Self.setting(.acl, "public-read"), try Self.setting(.storageClass, "GLACIER"),
        ])
        #expect(fields.map(\.name) == ["acl", "x-amz-storage-class"] && fields[0].value == "public-read")
    }

    @Test("Only one list makes an object public", arguments: ["private", "public-read", "bucket-owner-full-control"])
    func makesPublic(list: String) throws {
        #expect(try Self.setting(.acl, list).makesPublic == (list == "public-read"))
        #expect(try !Self.setting(.cacheControl, list).makesPublic)
    }

    @Test(
        "Blanks become what signatures cover",
        arguments: [("  a \t b ", "a b"), ("a b", "a b"), ("", ""), (" ", "")])
    func blanks(text: String, value: String) throws {
        let setting = try Self.setting(.metadata, text, entry: "a")
        #expect(setting.value == Array(value.utf8))
        #expect(try setting == Self.setting(.metadata, value, entry: "A"))
    }

    @Test("The longest tag is valid")
    func longestTag() throws {
        _ = try Self.setting(
            .tagging, String(repeating: "ü", count: 256), entry: String(repeating: "ü", count: 128))
    }

    @Test(
        "Metadata has at most 2048 bytes of names and values",
        arguments: [(1024, true), (1025, false)] as [(Int, Bool)])
    func metadataSize(length: Int, isValid: Bool) throws {
        let settings = try ["a", "b"].map { name in
            try Self.setting(.metadata, String(repeating: "v", count: length - 1), entry: name)
        }
        #expect(((try? UploadSetting.check(settings)) != nil) == isValid)
    }

    @Test("An object has at most 10 tags", arguments: [(10, true), (11, false)])
    func tagCount(count: Int, isValid: Bool) throws {
        let settings = try (0..<count).map { try Self.setting(.tagging, "", entry: "t\($0)") }
        #expect(((try? UploadSetting.check(settings)) != nil) == isValid)
    }

    @Test("Names of metadata that differ only in case are duplicates")
    func duplicates() throws {
        let settings = [try Self.setting(.metadata, "1", entry: "A"), try Self.setting(.metadata, "2", entry: "a")]
        let error = #expect(throws: InvalidUploadSetting.self) { try UploadSetting.check(settings) }
        #expect(error?.reason.contains("duplicate") == true && error?.entry == Array("a".utf8))
    }

    @Test("A KMS key requires encryption with KMS", arguments: [nil, "AES256", "aws:kms"])
    func kms(encryption: String?) throws {
        var settings = [try Self.setting(.kmsKeyId, "alias/a")]
        if let encryption { settings.append(try Self.setting(.serverSideEncryption, encryption)) }
        #expect(((try? UploadSetting.check(settings)) != nil) == (encryption == "aws:kms"))
    }
}
