import HTTPServerTestSupport
import Presigning
import PresigningTestSupport
import SocketTestSupport
import Testing

/// Checks the URL of a response against the response's other members and returns its body.
///
/// - Parameter time: when the client uses the URL.
@discardableResult
func verified(
    _ response: RawResponse, at time: SigningTime = TestClock.startTime,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> PresignBody {
    #expect(response.status == 200, "\(response.text)", sourceLocation: sourceLocation)
    let presigned = try response.presigned()
    let verdict = try verification(
        of: presigned.url, method: presigned.method, headers: presigned.headers, at: time)
    #expect(verdict == .valid, sourceLocation: sourceLocation)
    #expect(presigned.query["X-Amz-Expires"] == "\(presigned.expiresIn)", sourceLocation: sourceLocation)
    let signed = presigned.headers.keys.sorted() + ["host"]
    #expect(
        presigned.query["X-Amz-SignedHeaders"] == signed.sorted().joined(separator: ";"), sourceLocation: sourceLocation
    )
    let automatic = presigned.headers["content-length"].map { _ in ["content-length"] }
    #expect(presigned.automaticHeaders == automatic, sourceLocation: sourceLocation)
    let end = try #require(SigningTime(rfc3339: presigned.expiresAt), sourceLocation: sourceLocation)
    let last = try verification(of: presigned.url, method: presigned.method, headers: presigned.headers, at: end)
    let late = try verification(
        of: presigned.url, method: presigned.method, headers: presigned.headers, at: end.advanced(bySeconds: 1))
    #expect(last == .valid && late == .expired, sourceLocation: sourceLocation)
    return presigned
}

extension PresignBody {
    /// The decoded query of the URL.
    var query: [String: String] { queryItems(of: url) }
}
