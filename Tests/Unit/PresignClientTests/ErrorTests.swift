import Foundation
import Testing

@testable import PresignClient

@Suite("Errors")
struct ErrorTests {
    private static let endpoint = URL(filePath: "/")

    /// A response of the service or the storage, the case of the error, and its code.
    static let responses: [(isService: Bool, response: HTTPResponse, kind: String, code: StorageErrorCode)] = [
        (true, .json(#"{"code": "forbidden", "detail": "no"}"#, status: 403), "accessDenied", .forbidden),
        (true, .json(#"{"code": "token-expired"}"#, status: 401), "authError", .tokenExpired),
        (true, .json(#"{"code": "key-not-found"}"#, status: 404), "keyNotFound", .keyNotFound),
        (true, .json(#"{"code": "no-such-route"}"#, status: 404), "configuration", .noSuchRoute),
        (true, .json(#"{"code": "constraint"}"#, status: 422), "validation", .constraint),
        (true, .json(#"{"code": "overloaded"}"#, status: 503), "service", .overloaded),
        (true, .json("<html>", status: 200), "configuration", .unexpectedResponse),
        (false, .error("NoSuchKey", status: 404), "keyNotFound", .noSuchKey),
        (false, .error("NoSuchUpload", status: 404), "service", .noSuchUpload),
        (false, .error("AccessDenied", status: 403), "accessDenied", "AccessDenied"),
        (false, .error("PreconditionFailed", status: 412), "service", .preconditionFailed),
        (false, .storage("", status: 418), "httpStatusError", "HTTP418"),
        (false, .error("SlowDown", status: 503), "service", "SlowDown"),
    ]

    @Test("a response becomes an error of Amplify's cases with the server's code", arguments: responses)
    func cases(isService: Bool, response: HTTPResponse, kind: String, code: StorageErrorCode) throws {
        let failure = isService ? StorageFailure.service(response, endpoint: Self.endpoint) : .storage(response)
        let error = StorageError(failure, path: "a/b")
        #expect("\(error)".prefix { $0 != "(" } == kind)
        #expect(error.code == code)
        #expect(error.errorDescription?.isEmpty == false && error.recoverySuggestion?.isEmpty == false)
        #expect((error.underlyingError as? StorageFailure)?.status == response.status)
    }

    @Test("fields, id and suggestion of a problem are kept, and the pointer becomes a name")
    func problem() throws {
        let text = """
            {"code": "validation", "detail": "expires: no", "requestId": "r-1", "recoverySuggestion": "fix it",
             "errors": [{"pointer": "#/metadata/a~1b", "detail": "is long"}]}
            """
        let failure = StorageFailure.service(.json(text, status: 400), endpoint: Self.endpoint)
        #expect(failure.fields == [.init(name: "metadata/a/b", detail: "is long")])
        let error = StorageError(failure, path: "")
        #expect(error.errorDescription == "expires: no" && error.recoverySuggestion == "fix it")
        #expect(failure.requestID == "r-1" && !error.isRetryable)
    }

    @Test("errors of the app pass, and cancellation stays what it is")
    func others() {
        #expect(StorageError.wrapping(CancellationError(), path: "") is CancellationError)
        let wrapped = StorageError.wrapping(CocoaError(.fileNoSuchFile), path: "") as? StorageError
        #expect(wrapped?.underlyingError is CocoaError)
    }
}
