import Foundation
import Presigning
import PresigningTestSupport
import SocketTestSupport
import Testing

/// Checks the URL of a response against the response's other members and returns its body.
@discardableResult
func verified(
    _ response: RawResponse, sourceLocation: SourceLocation = #_sourceLocation
) throws -> PresignBody {
    #expect(response.status == 200, "\(response.text)", sourceLocation: sourceLocation)
    let answer = try response.answer()
    let verdict = try verification(of: answer.url, method: answer.method, headers: answer.headers)
    #expect(verdict == .valid, sourceLocation: sourceLocation)
    #expect(answer.query["X-Amz-Expires"] == "\(answer.expiresIn)", sourceLocation: sourceLocation)
    let signed = answer.headers.keys.sorted() + ["host"]
    #expect(
        answer.query["X-Amz-SignedHeaders"] == signed.sorted().joined(separator: ";"), sourceLocation: sourceLocation)
    let end = try #require(SigningTime(rfc3339: answer.expiresAt), sourceLocation: sourceLocation)
    let last = try verification(of: answer.url, method: answer.method, headers: answer.headers, at: end)
    let late = try verification(
        of: answer.url, method: answer.method, headers: answer.headers, at: end.advanced(bySeconds: 1))
    #expect(last == .valid && late == .expired, sourceLocation: sourceLocation)
    return answer
}

extension PresignBody {
    /// The decoded query of the URL.
    var query: [String: String] { queryItems(of: url) }
}
