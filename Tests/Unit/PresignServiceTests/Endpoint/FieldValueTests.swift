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
}
