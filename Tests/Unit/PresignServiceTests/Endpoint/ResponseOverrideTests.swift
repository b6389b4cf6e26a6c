import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

@Suite("Response overrides of requests")
struct ResponseOverrideTests {
    @Test("Every route rejects relabelling an image, names the member, and states what is allowed")
    func routes() throws {
        let service = try TestService(SampleConfiguration(guest: true, links: true).yaml)
        let members = #""responseContentType":"text/html","responseContentDisposition":"inline""#
        let body = #"{"path":"public/x.png",\#(members)}"#
        let link = "/o/public/x.png?responseContentType=text/html&responseContentDisposition=inline"
        for (request, omitsBody) in [
            (presignRequest(body), false), ("GET \(link) HTTP/1.1\r\nHost: a\r\n\r\n", false),
        ] {
            let problem = try service.exchange(request, omitsBody: omitsBody).problem()
            #expect(problem.status == 422 && problem.code == "constraint")
            #expect(problem.pointers == ["#/responseContentType", "#/responseContentDisposition"])
            #expect(problem.errors?[0].detail.contains("requires a responseContentDisposition") == true)
            #expect(problem.errors?[1].detail.contains("must start with `attachment`") == true)
        }
        let head = try service.exchange("HEAD \(link) HTTP/1.1\r\nHost: a\r\n\r\n", omitsBody: true)
        #expect(head.status == 422)
        let batch = try service.exchange(
            presignRequest(#"{"requests":[\#(body)]}"#).replacing("POST /presign ", with: "POST /presign/batch "))
        #expect(batch.status == 200 && batch.text.contains("#/responseContentDisposition"))
        #expect(!batch.text.contains("X-Amz-Signature"))
    }
}
