import PresigningTestSupport
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Values of fields that a storage would refuse or store otherwise")
struct FieldValueTests {
    /// The members besides the path, and the fields in the errors.
    static let refused: [(members: String, fields: [String], detail: String)] = [
        (
            #""responseContentDisposition":"attachment; filename=\"文件.txt\"""#, ["responseContentDisposition"],
            "must be printable ASCII; send `attachment; filename*=UTF-8''%E6%96%87%E4%BB%B6.txt`"
        ),
        (
            #""method":"HEAD","responseExpires":"文","responseContentType":"a\t""#,
            ["responseExpires", "responseContentType"], "must be printable ASCII"
        ),
        (
            #""responseContentLanguage":"é","responseContentEncoding":"é","responseCacheControl":"é""#,
            ["responseContentLanguage", "responseContentEncoding", "responseCacheControl"], "must be printable ASCII"
        ),
        (
            #""method":"PUT","contentDisposition":"attachment; filename=\"文.txt\"""#, ["contentDisposition"],
            "must be printable ASCII; send `attachment; filename*=UTF-8''%E6%96%87.txt`"
        ),
        (
            #""method":"PUT","metadata":{"x-amz-meta-album":"cats"}"#, ["metadata/x-amz-meta-album"],
            "begins with `x-amz-meta-`, which presign adds; leave out the prefix"
        ),
        (
            #""method":"POST","metadata":{"X-Amz-Meta-B":"x","c":"d"}"#, ["metadata/x-amz-meta-b"],
            "leave out the prefix"
        ),
        (#""method":"PUT","tagging":{"a&b":"c"}"#, ["tagging/a&b"], "letters, digits, spaces and + - = . _ : / @"),
        (
            #""method":"POST","uploadId":"u","contentLength":53687091200001"#, ["contentLength"],
            "is 53687091200001 bytes; must be 0 to 53687091200000 (48.8 TiB)"
        ),
        (#""method":"PUT","acl":"public-read-write""#, ["acl"], "private, public-read or bucket-owner-full-control"),
        (#""method":"PUT","acl":{"a":"private"}"#, ["acl"], "must be a string"),
        (#""acl":"private""#, ["acl"], "when creating a multipart upload"),
        (#""method":"PUT","uploadId":"u","partNumber":1,"acl":"private""#, ["acl"], "when creating a multipart upload"),
        (#""method":"PUT","share":true,"acl":"private""#, ["acl"], "is not allowed with share; omit it"),
    ]

    @Test("An invalid value gets 400, with what to send instead", arguments: refused)
    func invalid(members: String, fields: [String], detail: String) throws {
        let response = try TestService().exchange(presignRequest(#"{"path":"public/a",\#(members)}"#))
        let problem = try response.problem()
        #expect(response.status == 400 && problem.pointers == fields.map { "#/\($0)" }, "\(response.text)")
        #expect(problem.detail.hasSuffix(detail), "\(problem.detail)")
    }

    @Test("A plain link checks its response headers, too")
    func link() throws {
        var sample = SampleConfiguration()
        (sample.links, sample.guest) = (true, true)
        let query = "responseContentDisposition=attachment%3B%20filename%3D%C3%A9"
        let response = try TestService(sample.yaml).get("/o/public/a?\(query)", as: nil).response
        #expect(response.status == 400 && response.text.contains("filename*=UTF-8''%C3%A9`"), "\(response.text)")
    }

    @Test("A list is refused without the rule's consent", arguments: ["private", "public-read"])
    func unaccepted(list: String) throws {
        for method in ["PUT", "POST"] {
            let body = #"{"path":"settings/a","method":"\#(method)","acl":"\#(list)"}"#
            let response = try TestService().exchange(presignRequest(body))
            #expect(try response.status == 422 && response.problem().pointers == ["#/acl"], "\(response.text)")
        }
    }

    @Test("A list is signed where the rule accepts or sets it, not through share links or Git LFS")
    func accepted() throws {
        let yaml = ShareFixture.yaml(
            rules: """
                rules:
                  - {path: chosen/**, allow: {authenticated: [write, multipart]}, write: {accept: [acl]}}
                  - {path: form/**, allow: {authenticated: [write]}, write: {accept: [acl], maxSize: 1k}}
                  - {path: owned/**, allow: {authenticated: [write]}, write: {set: {acl: private}}, share: {write: 1d}}
                lfs: {prefix: owned}

                """)
        let service = try TestService(yaml, files: ShareFixture.files)
        func send(_ members: String) throws -> RawResponse { try service.exchange(presignRequest("{\(members)}")) }
        for method in ["PUT", "POST"] {
            let response = try send(#""path":"chosen/a","method":"\#(method)","acl":"public-read""#)
            #expect(try verified(response).headers["x-amz-acl"] == "public-read")
        }
        let form = try send(#""path":"form/a","method":"POST","form":true,"contentType":"a/b","acl":"private""#)
        #expect(form.status == 200 && form.text.contains(#""acl":"private""#), "\(form.text)")
        #expect(try verified(send(#""path":"owned/a","method":"PUT""#)).headers["x-amz-acl"] == "private")
        let share = try send(#""path":"owned/a","method":"PUT","share":true"#)
        #expect(try share.status == 422 && share.problem().pointers == ["#/acl"], "\(share.text)")
        let object = #"{"oid":"\#(String(repeating: "e", count: 64))","size":1}"#
        let upload = #"{"operation":"upload","objects":[\#(object)]}"#
        let lfs = try service.exchange(lfsRequest(upload, credentials: basic(SampleConfiguration.Key.web))).lfs()
        #expect(lfs.codes == [422] && lfs.objects[0].error?.message.hasPrefix("acl: is set by this rule") == true)
    }
}
