import SocketTestSupport
import Testing

@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("Rejections by Content-Type and query")
struct RequestFormTests {
    @Test(
        "JSON with another Content-Type, or without one, gets a hint which header to add",
        arguments: ["application/x-www-form-urlencoded", "text/plain", "text/plain;charset=UTF-8", nil],
        ["/presign", "/presign/batch"])
    func jsonUnderAnotherType(type: String?, route: String) throws {
        let request = presignRequest(" \n" + #"{"path":"public/a"}"#, type: type)
        let response = try TestService().exchange(request.replacing("/presign", with: route))
        let problem = try response.problem()
        #expect(response.status == (route == "/presign" && type?.contains("form") == true ? 400 : 415))
        #expect(problem.detail.lowercased().contains("the body looks like json"), "\(problem.detail)")
        #expect(response.text.contains("curl: -H 'Content-Type: application/json'"))
    }

    @Test(
        "A query is rejected by parameter name, without repeating values",
        arguments: ["/presign", "/presign/batch"], [[], ["Expect: 100-continue"]])
    func query(route: String, headers: [String]) throws {
        let request = presignRequest(#"{"path":"public/a"}"#, headers)
            .replacing("POST /presign ", with: "POST \(route)?expiresIn=60&access_token=s3cr3t ")
        let response = try TestService().exchange(request)
        let problem = try response.problem()
        #expect(response.status == 400 && problem.code == "validation" && problem.pointers == ["#"])
        #expect(problem.detail.contains("`expiresIn`, `access_token`") && !response.text.contains("s3cr3t"))
        #expect(response.text.contains("into the body"))
    }

    @Test("An empty query is accepted, and so is any query on routes that ignore it")
    func toleratedQueries() throws {
        let service = try TestService()
        let empty = presignRequest(#"{"path":"public/a"}"#).replacing("POST /presign ", with: "POST /presign? ")
        try verified(try service.exchange(empty))
        for route in ["healthz", "readyz", "metrics"] {
            #expect(try service.exchange("GET /\(route)?a=b HTTP/1.1\r\nHost: a\r\n\r\n").status == 200)
        }
    }
}
